import { Effect } from "effect"
import { createLocalJWKSet, errors, type JWSHeaderParameters } from "jose"
import { readVaKeys } from "./VaKeySource.ts"

/** The keys could not be loaded, so that nothing can be said about a token. */
export class KeysUnavailable extends Error {}

/** Keys are loaded anew after this time, in milliseconds. */
const freshMillis = 3_600_000

/** If they cannot be loaded, old keys are used for this time, in milliseconds. */
const usableMillis = 24 * 3_600_000

/** Keys are loaded at most once in this time for an unknown key id or after a failure, in milliseconds. */
const pauseMillis = 30_000

/** Without any keys, the next sign-in after this many milliseconds tries again. */
const firstPauseMillis = 3_000

/**
 * The keys that sign the VA's id_tokens (RFC 7517), from an address or a file. Loading them is all that the service
 * asks the VA: the request names no veteran and carries no token. `now` is in milliseconds.
 */
export const makeVaKeys = (source: string, now: () => number = () => performance.now()) => {
  let known: { readonly keyOf: ReturnType<typeof createLocalJWKSet>; readonly at: number } | undefined
  let triedAt = -Infinity
  let failed = false
  let loading: Promise<void> | undefined

  const load = async () => {
    triedAt = now()
    try {
      const keys = await Effect.runPromise(readVaKeys(source))
      // A server that lost its keys has failed, too: those that are known may be right.
      failed = keys.length === 0
      if (!failed) known = { keyOf: createLocalJWKSet({ keys: [...keys] }), at: triedAt }
    } catch {
      failed = true
    }
  }

  const loaded = () => loading ??= load().finally(() => loading = undefined)

  const age = () => known === undefined ? Infinity : now() - known.at

  const rested = (millis: number) => loading !== undefined || now() - triedAt >= millis

  const find = (header: JWSHeaderParameters) => {
    if (known === undefined || age() >= usableMillis) throw new KeysUnavailable()
    return known.keyOf(header)
  }

  /** Throws `KeysUnavailable` if the token's key may be one of the VA's that cannot be loaded now. */
  return async (header: JWSHeaderParameters) => {
    if (age() >= freshMillis && rested(known === undefined ? firstPauseMillis : pauseMillis)) await loaded()
    try {
      return await find(header)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (rested(pauseMillis)) await loaded()
      if (failed) throw new KeysUnavailable()
      return find(header)
    }
  }
}
