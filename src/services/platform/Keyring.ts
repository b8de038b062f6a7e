import { Effect, Redacted } from "effect"
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { SealBroken } from "../../domain/Errors.ts"
import { openAtOnce, openLarge, type Place, seal, type SealingKey } from "./Envelope.ts"
import type { Key } from "./VariableRules.ts"

export type Keyed = Pick<Place, "table" | "column" | "veteranId">

/**
 * The keys of TOKEN_ENCRYPTION_KEY: the first one seals, all of them open. Each veteran and column gets a derived key
 * (HKDF, RFC 5869). So no key is used nearly 2^32 times, which is the limit for AES-GCM with random nonces.
 */
export interface Keyring {
  readonly seal: (place: Place, plaintext: Uint8Array) => Buffer
  /** The key that seals this veteran's column, derived from the first key. */
  readonly sealingKey: (of: Keyed) => SealingKey
  /** The keys that open this veteran's column, derived from all keys, for a worker process. */
  readonly openingKeys: (of: Keyed) => ReadonlyArray<SealingKey>
  readonly open: (place: Place, envelope: Uint8Array) => Effect.Effect<Buffer, SealBroken>
  /**
   * Opens without an effect, because effects would double the cost of an answer with hundreds of items. Throws
   * `SealBroken`. Returns undefined if the text is too large for one turn of the event loop: use `open` then.
   */
  readonly openUnsafe: (place: Place, envelope: Uint8Array) => Buffer | undefined
}

export const makeKeyring = (keys: ReadonlyArray<Key>): Keyring => {
  const roots = new Map(keys.map(({ bytes, id }) => [id, Redacted.value(bytes)]))
  const first = keys[0]!.id
  const derived = new Map<string, KeyObject>()

  const keyFor = (keyId: string, { column, table, veteranId }: Keyed): KeyObject | undefined => {
    const name = `${keyId}|${table}|${column}|${veteranId}`
    const cached = derived.get(name)
    if (cached !== undefined) return cached
    const root = roots.get(keyId)
    if (root === undefined) return undefined
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", root, veteranId, `vrss/1/${table}/${column}`, 32)))
    if (derived.size >= 10_000) derived.clear()
    derived.set(name, key)
    return key
  }

  const sealingKey = (of: Keyed): SealingKey => ({ id: first, key: keyFor(first, of)! })

  const keyOf = (place: Place) => (keyId: string) => keyFor(keyId, place)

  const openUnsafe = (place: Place, envelope: Uint8Array) => openAtOnce(keyOf(place), place, envelope)

  return {
    seal: (place, plaintext) => seal(sealingKey(place), place, plaintext),
    sealingKey,
    openingKeys: (of) => keys.map(({ id }) => ({ id, key: keyFor(id, of)! })),
    open: (place, envelope) =>
      Effect.suspend(() => {
        const opened = openUnsafe(place, envelope)
        return opened === undefined ? openLarge(keyOf(place), place, envelope) : Effect.succeed(opened)
      }).pipe(Effect.catchDefect(() => Effect.fail(new SealBroken()))),
    openUnsafe
  }
}
