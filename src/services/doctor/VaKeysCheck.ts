import { Effect } from "effect"
import type { JWK } from "jose"
import { createPublicKey } from "node:crypto"
import { readVaKeys } from "../account/VaKeys.ts"
import { codeOf, NoAnswer } from "../platform/BoundedFetch.ts"
import { Settings } from "../platform/Settings.ts"
import { upstreamNames } from "../platform/Variables.ts"
import { check, error, where } from "./Finding.ts"

const remedy = "Look at VA_KEYS (the VA's address, or a file that somebody keeps current), and whether this machine " +
  "may reach or read it."

/** An RSA key has at least 2048 bits (RFC 7518, 3.3). */
const isUsable = (jwk: JWK) => {
  if (typeof jwk.kid !== "string" || (jwk.use ?? "sig") !== "sig") return false
  if (!(jwk.key_ops ?? ["verify"]).includes("verify")) return false
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: { ...jwk }, format: "jwk" })
    return asymmetricKeyType === "rsa"
      ? (jwk.alg ?? "RS256") === "RS256" && asymmetricKeyDetails!.modulusLength! >= 2048
      : (jwk.alg ?? "ES256") === "ES256" && asymmetricKeyDetails!.namedCurve === "prime256v1"
  } catch {
    return false
  }
}

/** Returns a code, and never what was read. */
const whyOf = (error: unknown) =>
  error instanceof NoAnswer ? error.code : error instanceof SyntaxError ? "no JSON" : codeOf(error)

/** Loads the VA's keys as the service does. The request names no veteran and carries no token. */
export const vaKeysCheck = check(
  "keys of the VA",
  upstreamNames,
  Effect.gen(function*() {
    const { sandboxVaPort, va } = yield* Settings
    // The sandbox runs only together with the service.
    if (va === undefined || sandboxVaPort !== undefined) return []
    return yield* Effect.tryPromise({ try: () => readVaKeys(va.keys), catch: whyOf }).pipe(Effect.match({
      onFailure: (why) => [
        error(
          `VA_KEYS cannot be read (${why}).`,
          "Nobody can sign in with the VA: 503, at the latest a day after the keys could last be read.",
          remedy
        )
      ],
      onSuccess: ({ keys }) =>
        where([
          !keys.some(isUsable),
          error(
            "VA_KEYS has no usable key: none for RS256 (from 2048 bits) or ES256 that has a kid.",
            "Nobody can sign in with the VA.",
            remedy
          )
        ])
    }))
  })
)
