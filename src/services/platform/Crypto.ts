import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto"
import { SealBroken } from "../../domain/Errors.ts"
import { hashUnder, openAtOnce, openLarge, type Place, seal, type SealingKey } from "./Envelope.ts"
import { Settings } from "./Settings.ts"

/**
 * Seals values and hashes them under keys (Envelope.ts). Each veteran and column has a key of its own (HKDF, RFC 5869), so
 * that random nonces stay far from the 2^32 limit of one key.
 */
export class Crypto extends Context.Service<Crypto, {
  /** Seals for `place` under the first key of the keyring. */
  readonly seal: (place: Place, plaintext: Uint8Array) => Buffer
  /** The key that seals such places: that of the keyring's first. */
  readonly sealingKey: (of: Keyed) => SealingKey
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

      const keyFor = (keyId: string, { column, table, veteranId }: Keyed): KeyObject | undefined => {
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

      const sealingKey = (of: Keyed): SealingKey => ({ id: first, key: keyFor(first, of)! })

      const keyOf = (place: Place) => (keyId: string) => keyFor(keyId, place)

      const openUnsafe = (place: Place, envelope: Uint8Array) => openAtOnce(keyOf(place), place, envelope)

      const derivedKey = (purpose: string) =>
        createSecretKey(Buffer.from(hkdfSync("sha256", Redacted.value(appSecret), "", `vrss/1/${purpose}`, 32)))

      return Crypto.of({
        seal: (place, plaintext) => seal(sealingKey(place), place, plaintext),
        sealingKey,
        open: (place, envelope) =>
          Effect.suspend(() => {
            const opened = openUnsafe(place, envelope)
            return opened === undefined ? openLarge(keyOf(place), place, envelope) : Effect.succeed(opened)
          }).pipe(Effect.catchDefect(() => Effect.fail(new SealBroken()))),
        openUnsafe,
        keyedHash: (purpose) => {
          const key = derivedKey(purpose)
          return (...parts) => hashUnder(key, ...parts)
        },
        derivedKey
      })
    })
  )
}

type Keyed = Pick<Place, "table" | "column" | "veteranId">

/** Compares two secrets in a time that depends on neither, by way of hashes of one length. */
export const secretsEqual = (given: string, expected: Redacted.Redacted): boolean => {
  const hash = (value: string) => createHmac("sha256", comparisonKey).update(value).digest()
  return timingSafeEqual(hash(given), hash(Redacted.value(expected)))
}

const comparisonKey = createSecretKey(randomBytes(32))
