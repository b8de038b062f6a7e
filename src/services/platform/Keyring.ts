import { Effect, Redacted } from "effect"
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { SealBroken } from "../../domain/Errors.ts"
import { openAtOnce, openLarge, type Place, seal, type SealingKey } from "./Envelope.ts"
import type { Key } from "./VariableRules.ts"

export type Keyed = Pick<Place, "table" | "column" | "veteranId">

/**
 * The keys of TOKEN_ENCRYPTION_KEY: the first seals, all open. Each veteran and column has a key of its own (HKDF, RFC 5869),
 * so that random nonces stay far from the 2^32 limit of one key.
 */
export interface Keyring {
  /** Seals for `place` under the first key. */
  readonly seal: (place: Place, plaintext: Uint8Array) => Buffer
  /** The key that seals such places: that of the first. */
  readonly sealingKey: (of: Keyed) => SealingKey
  /** The keys that open such places, for a worker process. */
  readonly openingKeys: (of: Keyed) => ReadonlyArray<SealingKey>
  readonly open: (place: Place, envelope: Uint8Array) => Effect.Effect<Buffer, SealBroken>
  /**
   * Opens the hundreds of items of one answer, where an effect for each would cost as much again; throws `SealBroken`. What
   * is too large to be opened in one turn of the event loop is undefined, and left to `open`.
   */
  readonly openUnsafe: (place: Place, envelope: Uint8Array) => Buffer | undefined
}

export const makeKeyring = (keys: ReadonlyArray<Key>): Keyring => {
  const roots = new Map(keys.map(({ bytes, id }) => [id, Redacted.value(bytes)]))
  const first = keys[0]!.id
  const derived = new Map<string, KeyObject>()

  const keyFor = (keyId: string, { column, table, veteranId }: Keyed): KeyObject | undefined => {
    const name = `${keyId}|${table}|${column}|${veteranId}`
    const known = derived.get(name)
    if (known !== undefined) return known
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
