import { Data, Effect } from "effect"
import type { JWK } from "jose"
import { createPublicKey } from "node:crypto"
import * as Fs from "node:fs/promises"

/** `why` is a code of the system or an HTTP status. It never quotes what was read. */
export class VaKeysUnreadable extends Data.TaggedError("VaKeysUnreadable")<{ readonly why: string }> {}

const maxBytes = 256 * 1024

/** The longest time for the whole answer, in milliseconds. */
const maxMillis = 5_000

/** Reads the usable keys of `VA_KEYS`: signing keys for RS256 or ES256 with a `kid`. */
export const readVaKeys = (source: string): Effect.Effect<ReadonlyArray<JWK>, VaKeysUnreadable> =>
  Effect.tryPromise({
    try: async () => usable(await (URL.canParse(source) ? fetched(source) : fromFile(source))),
    catch: (error) => error instanceof VaKeysUnreadable ? error : new VaKeysUnreadable({ why: codeOf(error) })
  })

const fetched = async (address: string) => {
  const headers = { accept: "application/json" }
  const response = await fetch(address, { headers, redirect: "manual", signal: AbortSignal.timeout(maxMillis) })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new VaKeysUnreadable({ why: `${response.status}` })
  }
  return bounded(response.body ?? [])
}

const fromFile = async (path: string) => {
  const file = await Fs.open(path)
  try {
    if (!(await file.stat()).isFile()) throw new VaKeysUnreadable({ why: "no file" })
    return await bounded(file.createReadStream({ autoClose: false }))
  } finally {
    await file.close()
  }
}

const bounded = async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
  const all: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new VaKeysUnreadable({ why: "too large" })
    all.push(chunk)
  }
  return Buffer.concat(all).toString("utf8")
}

const usable = (text: string): ReadonlyArray<JWK> => {
  const keys: unknown = JSON.parse(text)?.keys
  return Array.isArray(keys) ? (keys as ReadonlyArray<JWK>).filter(isUsable) : []
}

/** RFC 7518, 3.3: an RSA key has at least 2048 bits. */
const isUsable = (jwk: JWK) => {
  if (typeof jwk?.kid !== "string" || jwk.kid === "" || "d" in jwk) return false
  if ((jwk.use ?? "sig") !== "sig" || jwk.key_ops?.includes("verify") === false) return false
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: { ...jwk }, format: "jwk" })
    return asymmetricKeyType === "rsa"
      ? (jwk.alg ?? "RS256") === "RS256" && asymmetricKeyDetails!.modulusLength! >= 2048
      : (jwk.alg ?? "ES256") === "ES256" && asymmetricKeyDetails!.namedCurve === "prime256v1"
  } catch {
    return false
  }
}

const codeOf = (error: unknown): string => {
  if (error instanceof SyntaxError) return "no JSON"
  const { cause, code, name } = error as { readonly cause?: unknown; readonly code?: unknown; readonly name?: string }
  if (typeof code === "string") return code
  return cause !== null && typeof cause === "object" ? codeOf(cause) : name ?? "unknown"
}
