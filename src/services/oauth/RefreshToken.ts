import { randomBytes } from "node:crypto"

/** The family is the same in all refresh tokens of a grant; `own` is new in each token (migrations/023). */
export interface RefreshToken {
  /** The two characters of the veteran's slot, which tokens of the old form lack, and 32 random bytes. */
  readonly family: Buffer
  readonly own: Buffer
}

export const newFamily = (slot: string) => Buffer.concat([Buffer.from(slot), randomBytes(32)])

export const newRefreshToken = (family: Buffer): RefreshToken => ({ family, own: randomBytes(32) })

export const writeRefreshToken = ({ family, own }: RefreshToken) =>
  family.toString("latin1", 0, family.length - 32) + Buffer.concat([family.subarray(-32), own]).toString("base64url")

/** Returns undefined if the text is no refresh token, or is not in canonical base64url. */
export const readRefreshToken = (text: string): RefreshToken | undefined => {
  const [, slot = "", secrets = ""] = /^([\w-]{2})?([\w-]{86})$/.exec(text) ?? []
  const bytes = Buffer.from(secrets, "base64url")
  return bytes.length === 64 && bytes.toString("base64url") === secrets
    ? { family: Buffer.concat([Buffer.from(slot), bytes.subarray(0, 32)]), own: bytes.subarray(32) }
    : undefined
}
