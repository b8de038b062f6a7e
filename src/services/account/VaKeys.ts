import { createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from "jose"
import { readFile, stat } from "node:fs/promises"
import { boundedFetch, NoAnswer } from "../platform/BoundedFetch.ts"

/** The keys could not be loaded, so that nothing can be said about a token. */
export class KeysUnavailable extends Error {}

/** Longest time for one answer, in milliseconds. */
const maxAnswerMillis = 3_000

const maxFileBytes = 256 * 1024

/** Keys are loaded anew after this time, in milliseconds. */
const freshMillis = 3_600_000

/** If they cannot be loaded, old keys are used for this time, in milliseconds. */
const usableMillis = 24 * 3_600_000

/** Keys are loaded at most once in this time for an unknown key id or after a failure, in milliseconds. */
const pauseMillis = 30_000

/** Without any keys, the next sign-in after this many milliseconds tries again. */
const firstPauseMillis = 3_000

/**
 * The keys that sign the VA's id_tokens (RFC 7517), from an address or a file. Loading them is all that the service asks
 * the VA: the request names no veteran and carries no token. `now` is in milliseconds.
 */
export const makeVaKeys = (source: string, now: () => number = () => performance.now()) => {
  let known: { readonly keyOf: ReturnType<typeof createLocalJWKSet>; readonly at: number } | undefined
  let triedAt = -Infinity
  let failed = false
  let loading: Promise<void> | undefined

  const load = async () => {
    triedAt = now()
    try {
      const { keyOf } = await readVaKeys(source)
      known = { keyOf, at: triedAt }
      failed = false
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

/** Loads the keys once. */
export const readVaKeys = async (source: string) => {
  const set: JSONWebKeySet = JSON.parse(await textOf(source))
  return { keyOf: createLocalJWKSet(set), keys: set.keys }
}

const textOf = async (source: string) => {
  if (!/^https?:/.test(source)) {
    if ((await stat(source)).size > maxFileBytes) throw new NoAnswer("too large")
    return readFile(source, "utf8")
  }
  const answer = await boundedFetch(source, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(maxAnswerMillis)
  })
  if (answer.status !== 200) throw new NoAnswer(`${answer.status}`)
  return answer.text()
}
