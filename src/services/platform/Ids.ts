import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"

/** Makes a UUIDv7 (RFC 9562): ids made later sort later, so lists are ordered by id alone. */
export const newId = (): string => SecureRandom.uuidV7Unsafe()

/**
 * Makes a UUIDv7 of a moment in milliseconds; the rest is random, so that ids of one moment come in no order. The random
 * bits are from Node's pool, which costs a tenth of drawing them one by one.
 */
export const idAt = (moment: number): string => {
  const time = moment.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
