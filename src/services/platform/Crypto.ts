import { Context, Effect, Layer, Redacted } from "effect"
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual
} from "node:crypto"
import { promisify } from "node:util"
import { zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib"
import { SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { makePace } from "./Pace.ts"
import { Settings } from "./Settings.ts"

/** A ciphertext lives here and opens nowhere else (SealedColumns.ts). `row` is unique within table and veteran. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
  readonly veteranId: VeteranId
}

const nonceLength = 12

const tagLength = 16

const plain = 1

const compressed = 2

/** With the default of 16 KiB most resources worth compressing would be put together from pieces. */
const oneChunk = { chunkSize: 64 * 1024 }

/** So many bytes are opened in one turn of the event loop; more take several, and are decompressed in zlib's threads. */
const atOnce = 256 * 1024

const largeChunks = { chunkSize: 1024 * 1024 }

/**
 * Below this many bytes the native context that each call makes costs more than the bytes it saves (docs/maintainer.md,
 * "Speed").
 */
const worthCompressing = 8 * 1024

/**
 * Seals values and hashes them under keys. An envelope is `format | key id length | key id | nonce[12] | ciphertext |
 * tag[16]`, AES-256-GCM (NIST SP 800-38D), with the place and the key id as additional authenticated data. Each veteran
 * and column has a key of its own (HKDF, RFC 5869), so that random nonces stay far from the 2^32 limit of one key.
 */
export class Crypto extends Context.Service<Crypto, {
  /** Seals for `place` under the first key of the keyring. */
  readonly seal: (place: Place, plaintext: Uint8Array) => Buffer
  readonly open: (place: Place, envelope: Uint8Array) => Effect.Effect<Buffer, SealBroken>
  /**
   * Opens the hundreds of items of one answer, where an effect for each would cost as much again; throws `SealBroken`. What
   * is too large to be opened in one turn of the event loop is undefined, and left to `open`.
   */
  readonly openUnsafe: (place: Place, envelope: Uint8Array) => Buffer | undefined
  /** Computes HMAC-SHA-256 under a key that is derived from APP_SECRET for `purpose` alone. */
  readonly keyedHash: (purpose: string) => (...parts: ReadonlyArray<string | Uint8Array>) => Buffer
  /** Derives a key from APP_SECRET for `purpose` alone. */
  readonly derivedKey: (purpose: string) => KeyObject
}>()("vrss/Crypto") {
  static readonly layer = Layer.effect(
    Crypto,
    Effect.gen(function*() {
      const { appSecret, tokenEncryptionKeys } = yield* Settings
      const keyring = new Map(tokenEncryptionKeys.map(({ bytes, id }) => [id, Redacted.value(bytes)]))
      const first = tokenEncryptionKeys[0]!.id
      const sealingKeys = new Map<string, KeyObject>()

      const sealingKey = (keyId: string, { column, table, veteranId }: Place): KeyObject | undefined => {
        const name = `${keyId}|${table}|${column}|${veteranId}`
        const known = sealingKeys.get(name)
        if (known !== undefined) return known
        const root = keyring.get(keyId)
        if (root === undefined) return undefined
        const key = createSecretKey(Buffer.from(hkdfSync("sha256", root, veteranId, `vrss/1/${table}/${column}`, 32)))
        if (sealingKeys.size >= 10_000) sealingKeys.clear()
        sealingKeys.set(name, key)
        return key
      }

      const seal = (place: Place, plaintext: Uint8Array) => {
        const squeezed = plaintext.length >= worthCompressing ? zstdCompressSync(plaintext) : plaintext
        const format = squeezed.length < plaintext.length ? compressed : plain
        const body = format === compressed ? squeezed : plaintext
        const nonce = randomNonce()
        const cipher = createCipheriv("aes-256-gcm", sealingKey(first, place)!, nonce, { authTagLength: tagLength })
        cipher.setAAD(boundPlace(place, first, format))
        const sealed = cipher.update(body)
        cipher.final()
        return Buffer.concat([
          Buffer.from([format, first.length]),
          Buffer.from(first),
          nonce,
          sealed,
          cipher.getAuthTag()
        ])
      }

      const opener = (place: Place, envelope: Uint8Array) => {
        const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength)
        const format = bytes[0]
        const nonceAt = 2 + (bytes[1] ?? 0)
        const keyId = bytes.toString("latin1", 2, nonceAt)
        const key = sealingKey(keyId, place)
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

      const openUnsafe = (place: Place, envelope: Uint8Array) => {
        if (envelope.length > atOnce) return undefined
        const { body, decipher, isCompressed } = opener(place, envelope)
        const opened = decipher.update(body)
        // Nothing of it is used before `final` has checked the tag.
        decipher.final()
        return isCompressed ? decompressedAtOnce(opened) : opened
      }

      const openLarge = Effect.fnUntraced(function*(place: Place, envelope: Uint8Array) {
        const { body, decipher, isCompressed } = opener(place, envelope)
        const pace = makePace()
        const opened = Buffer.allocUnsafe(body.length)
        for (let at = 0; at < body.length; at += atOnce) {
          const piece = decipher.update(body.subarray(at, at + atOnce))
          piece.copy(opened, at)
          yield* pace(piece.length)
        }
        decipher.final()
        return isCompressed ? yield* Effect.promise(() => decompressed(opened, largeChunks)) : opened
      })

      const derivedKey = (purpose: string) =>
        createSecretKey(Buffer.from(hkdfSync("sha256", Redacted.value(appSecret), "", `vrss/1/${purpose}`, 32)))

      return Crypto.of({
        seal,
        open: (place, envelope) =>
          Effect.suspend(() => {
            const opened = openUnsafe(place, envelope)
            return opened === undefined ? openLarge(place, envelope) : Effect.succeed(opened)
          }).pipe(Effect.catchDefect(() => Effect.fail(new SealBroken()))),
        openUnsafe,
        keyedHash: (purpose) => {
          const key = derivedKey(purpose)
          return (...parts) => {
            const hmac = createHmac("sha256", key)
            // A length stands before each part, so that no two lists of parts hash alike. Text goes in one call,
            // because each costs as much as hashing a kilobyte.
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
        },
        derivedKey
      })
    })
  )
}

const decompressedAtOnce = (bytes: Buffer) => {
  try {
    return zstdDecompressSync(bytes, { ...oneChunk, maxOutputLength: atOnce })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined
    throw error
  }
}

const decompressed = promisify(zstdDecompress)

/** Compares two secrets in a time that depends on neither, by way of hashes of one length. */
export const secretsEqual = (given: string, expected: Redacted.Redacted): boolean => {
  const hash = (value: string) => createHmac("sha256", comparisonKey).update(value).digest()
  return timingSafeEqual(hash(given), hash(Redacted.value(expected)))
}

const comparisonKey = createSecretKey(randomBytes(32))

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
