import { hash } from "node:crypto"
import type { VeteranId } from "../../domain/Id.ts"
import { newSecret } from "./Crypto.ts"
import { newId } from "./Ids.ts"

/**
 * The slot of a veteran: the first 12 bits of SHA-256 over the 16 bytes of their id, as two characters of base64url.
 * Names of what belongs to a veteran carry it, so that several databases can share the veterans without a directory.
 */
export const slotOf = (veteranId: VeteranId) =>
  hash("sha256", Buffer.from(hex(veteranId), "hex"), "base64url").slice(0, 2)

/** Makes a secret of 32 random bytes, behind the slot. */
export const newSecretIn = (slot: string) => `${slot}${newSecret()}`

/** Returns an empty text if the secret has no slot, as those that were made before there were slots. */
export const slotOfSecret = (secret: string) => /^[\w-]{45}$/.test(secret) ? secret.slice(0, 2) : ""

/** Makes a UUIDv7 whose 12 bits of `rand_a` (RFC 9562) are the slot. Later ids of one slot still sort later. */
export const newIdIn = <Id extends string = string>(slot: string): Id => {
  const id = newId()
  const bits = Buffer.from(`${slot}AA`, "base64url").toString("hex").slice(0, 3)
  return `${id.slice(0, 15)}${bits}${id.slice(18)}` as Id
}

/** The slot in an id that `newIdIn` made. */
export const slotOfId = (id: string) => Buffer.from(`${id.slice(15, 18)}0`, "hex").toString("base64url").slice(0, 2)

const hex = (id: string) => id.replaceAll("-", "")
