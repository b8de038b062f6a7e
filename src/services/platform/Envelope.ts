import { Effect } from "effect"
import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import { zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib"
import { SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { makePace } from "./Pace.ts"

/** The one row and column where a ciphertext opens (SealedColumns.ts). `row` is unique per table and veteran. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
  readonly veteranId: VeteranId
}

/** The key of one veteran and column, with the id of its root key. It may be sent to another process (Dialogue.ts). */
export interface SealingKey {
  readonly id: string
  readonly key: KeyObject
}

const nonceLength = 12

const tagLength = 16

const plain = 1

const compressed = 2

/** With zlib's default chunk of 16 KiB, most compressed resources would be joined from several pieces. */
const oneChunk = { chunkSize: 64 * 1024 }

/** Largest text that is opened in one turn of the event loop, in bytes. zlib's threads decompress larger ones. */
const atOnce = 256 * 1024

const largeChunks = { chunkSize: 1024 * 1024 }

/** Below this size, in bytes, zlib's native context costs more than compression saves (docs/speed.md). */
const worthCompressing = 8 * 1024

/**
 * Seals for `place`: `format | key id length | key id | nonce[12] | ciphertext | tag[16]`, AES-256-GCM (NIST SP
 * 800-38D). The place and the key id are additional authenticated data.
 */
export const seal = (key: SealingKey, place: Place, plaintext: Uint8Array): Buffer =>
  Buffer.concat(sealedPieces(key, place, plaintext))

/** Seals like `seal` and returns the pieces, so that a caller who joins many envelopes copies each byte once. */
export const sealedPieces = (
  { id, key }: SealingKey,
  place: Place,
  plaintext: Uint8Array
): ReadonlyArray<Uint8Array> => {
  const squeezed = plaintext.length >= worthCompressing ? zstdCompressSync(plaintext) : plaintext
  const format = squeezed.length < plaintext.length ? compressed : plain
  const body = format === compressed ? squeezed : plaintext
  const nonce = randomNonce()
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
  cipher.setAAD(boundPlace(place, id, format))
  const sealed = cipher.update(body)
  cipher.final()
  return [Buffer.from(`${String.fromCharCode(format, id.length)}${id}`, "latin1"), nonce, sealed, cipher.getAuthTag()]
}

/** Maximum bytes before the ciphertext. Each value gets a new nonce, so a changed head shows a replaced value. */
export const headLength = 2 + 32 + nonceLength

/** Returns the key id in an envelope or its head, or undefined if there is no valid key id. */
export const keyIdOf = (envelope: Uint8Array): string | undefined => {
  const id = Buffer.from(envelope.subarray(0, headLength)).toString("latin1", 2, 2 + (envelope[1] ?? 0))
  return /^[A-Za-z0-9_-]{1,32}$/.test(id) ? id : undefined
}

/** Returns true if the text was compressed before it was sealed. */
export const isCompressed = (envelope: Uint8Array): boolean => envelope[0] === compressed

/** Finds the key by the key id in an envelope. */
type KeyOf = (keyId: string) => KeyObject | undefined

const opener = (keyOf: KeyOf, place: Place, envelope: Uint8Array) => {
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
  return { body: bytes.subarray(bodyAt, tagAt), decipher, isCompressed: format === compressed }
}

/** Throws if `envelope` is for another place. Returns undefined if it is too large for a turn: use `openLarge` then. */
export const openAtOnce = (keyOf: KeyOf, place: Place, envelope: Uint8Array): Buffer | undefined => {
  if (envelope.length > atOnce) return undefined
  const { body, decipher, isCompressed } = opener(keyOf, place, envelope)
  const opened = decipher.update(body)
  // Nothing decrypted is used before `final` has checked the tag.
  decipher.final()
  if (!isCompressed) return opened
  const length = contentLength(opened)
  // One chunk holds the whole text, and has one byte more: a full chunk would make zlib allocate another.
  return length > atOnce ? undefined : zstdDecompressSync(opened, { chunkSize: Math.max(64, length + 1) })
}

/** Returns the length of a frame's text, which `zstdCompressSync` always writes into its head (RFC 8878, 3.1.1.1). */
const contentLength = (frame: Buffer): number => {
  const descriptor = frame[4]!
  const isOneSegment = (descriptor & 0x20) !== 0
  const lengthAt = isOneSegment ? 5 : 6
  switch (descriptor >> 6) {
    case 0:
      return frame[lengthAt]!
    case 1:
      return frame.readUInt16LE(lengthAt) + 256
    default:
      return frame.readUInt32LE(lengthAt)
  }
}

/** Opens an envelope of any size in one step. Only for worker processes: it would block the service's event loop. */
export const openWhole = (keyOf: KeyOf, place: Place, envelope: Uint8Array): Buffer => {
  const { body, decipher, isCompressed } = opener(keyOf, place, envelope)
  const opened = decipher.update(body)
  decipher.final()
  return isCompressed ? zstdDecompressSync(opened, opened.length > atOnce ? largeChunks : oneChunk) : opened
}

/** Opens in several turns of the event loop; dies if `openAtOnce` would throw. */
export const openLarge = Effect.fnUntraced(function*(keyOf: KeyOf, place: Place, envelope: Uint8Array) {
  const { body, decipher, isCompressed } = opener(keyOf, place, envelope)
  const pace = makePace()
  const opened = Buffer.allocUnsafe(body.length)
  for (let at = 0; at < body.length; at += atOnce) {
    const piece = decipher.update(body.subarray(at, at + atOnce))
    piece.copy(opened, at)
    yield* pace(piece.length)
  }
  decipher.final()
  if (!isCompressed) return opened
  // One chunk with room to spare: joining several chunks held the event loop for 100 ms at 56 MiB.
  return yield* Effect.promise(() => decompressed(opened, { chunkSize: Math.max(64, contentLength(opened) + 1) }))
})

const decompressed = promisify(zstdDecompress)

export const hashUnder = (key: KeyObject, ...parts: ReadonlyArray<string | Uint8Array>): Buffer => {
  const hmac = createHmac("sha256", key)
  // Lengths keep different lists from hashing alike. Text is joined: each `update` costs as much as hashing a kilobyte.
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

/** Takes a slice of a refilled pool: calling the system's generator for each nonce costs ten times as much. */
const randomNonce = () => {
  if (nonceAt === noncePool.length) {
    randomBytes(noncePool.length).copy(noncePool)
    nonceAt = 0
  }
  return Buffer.from(noncePool.subarray(nonceAt, nonceAt += nonceLength))
}
