import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from "node:crypto"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"

/** A ciphertext lives here and opens nowhere else (SealedColumns.ts). `row` is unique within table and veteran. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
  readonly veteranId: VeteranId
}

/** A key of one veteran and column, with the id in the keyring of what it was derived from. It goes to another thread as it is. */
export interface SealingKey {
  readonly id: string
  readonly key: KeyObject
}

const nonceLength = 12

const tagLength = 16

const plain = 1

const compressed = 2

/** With the default of 16 KiB most resources worth compressing would be put together from pieces. */
const oneChunk = { chunkSize: 64 * 1024 }

/**
 * Below this many bytes the native context that each call makes costs more than the bytes it saves (docs/maintainer.md,
 * "Speed").
 */
const worthCompressing = 8 * 1024

/**
 * Seals for `place`: `format | key id length | key id | nonce[12] | ciphertext | tag[16]`, AES-256-GCM (NIST SP 800-38D),
 * with the place and the key id as additional authenticated data.
 */
export const seal = ({ id, key }: SealingKey, place: Place, plaintext: Uint8Array): Buffer => {
  const squeezed = plaintext.length >= worthCompressing ? zstdCompressSync(plaintext) : plaintext
  const format = squeezed.length < plaintext.length ? compressed : plain
  const body = format === compressed ? squeezed : plaintext
  const nonce = randomNonce()
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
  cipher.setAAD(boundPlace(place, id, format))
  const sealed = cipher.update(body)
  cipher.final()
  return Buffer.concat([Buffer.from([format, id.length]), Buffer.from(id), nonce, sealed, cipher.getAuthTag()])
}

/** Opens what was sealed for `place` under the key that `keyOf` has for the envelope's key id; throws `SealBroken`. */
export const open = (
  keyOf: (keyId: string) => KeyObject | undefined,
  place: Place,
  envelope: Uint8Array
): Buffer => {
  const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength)
  const format = bytes[0]
  const nonceAt = 2 + (bytes[1] ?? 0)
  const keyId = bytes.toString("latin1", 2, nonceAt)
  const key = keyOf(keyId)
  const bodyAt = nonceAt + nonceLength
  const tagAt = bytes.length - tagLength
  if (key === undefined || tagAt < bodyAt || (format !== plain && format !== compressed)) throw new SealBroken()
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, bodyAt), {
    authTagLength: tagLength
  })
  decipher.setAAD(boundPlace(place, keyId, format))
  decipher.setAuthTag(bytes.subarray(tagAt))
  const body = decipher.update(bytes.subarray(bodyAt, tagAt))
  // Nothing of `body` is used before `final` has checked the tag.
  decipher.final()
  return format === compressed ? zstdDecompressSync(body, oneChunk) : body
}

/** Computes HMAC-SHA-256 of the parts. */
export const hashUnder = (key: KeyObject, ...parts: ReadonlyArray<string | Uint8Array>): Buffer => {
  const hmac = createHmac("sha256", key)
  // A length stands before each part, so that no two lists of parts hash alike. Text goes in one call, because each
  // costs as much as hashing a kilobyte.
  let text = ""
  for (const part of parts) {
    text += `${Buffer.byteLength(part)}:`
    if (typeof part === "string") text += part
    else {
      hmac.update(text).update(part)
      text = ""
    }
  }
  return hmac.update(text).digest()
}

const boundPlace = ({ column, row, table, veteranId }: Place, keyId: string, format: number) =>
  Buffer.from(`vrss/${format}|${table}|${column}|${row}|${veteranId}|${keyId}`)

const noncePool = Buffer.allocUnsafe(nonceLength * 1024)

let nonceAt = noncePool.length

/**
 * Takes a slice of a refilled pool, because a call to the system's generator for each nonce costs ten times as much.
 */
const randomNonce = () => {
  if (nonceAt === noncePool.length) {
    randomBytes(noncePool.length).copy(noncePool)
    nonceAt = 0
  }
  return Buffer.from(noncePool.subarray(nonceAt, nonceAt += nonceLength))
}
