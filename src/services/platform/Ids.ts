import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"

/** Makes a UUIDv7 (RFC 9562) of the requested brand. Later ids sort later, so lists are ordered by id alone. */
export const newId = <Id extends string = string>(): Id => SecureRandom.uuidV7Unsafe() as string as Id

/**
 * Makes a UUIDv7 of a moment in milliseconds. The other bits are random, so ids of one moment have no order. These bits
 * come from Node's pool of random UUIDs, which costs a tenth of asking for random numbers each time.
 */
export const idAt = (moment: number): string => {
  const time = moment.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
