import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { GoogleRefusal } from "../../../src/domain/GoogleSignIn.ts"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { connectWithCookie } from "../../shared/Client.ts"
import { hasDrafts } from "../../shared/Drafts.ts"
import { Problem } from "../../shared/Problem.ts"
import { configuration } from "../../shared/Transport.ts"
import { problemText, problemWords } from "../../shared/Words.ts"
import type { GoogleReturn } from "./GoogleReturn.ts"

/**
 * Storage key of the verifier (RFC 7636, 4.1), which binds the one-time code to this tab. The verifier is not a token,
 * and is deleted when the browser comes back from Google.
 */
const key = "vrss-google-verifier"

/** Sends the browser to Google. With an unsaved draft, a new window goes there, and this window keeps the draft. */
export const goToGoogle = Effect.gen(function*() {
  const { api } = yield* configuration
  const verifier = Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))
  const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)))
  const challenge = Base64Url.encode(new Uint8Array(digest))
  const address = `${api}/api/provider/google/start?challenge=${challenge}`
  sessionStorage.setItem(key, verifier)
  if (!hasDrafts()) return location.assign(address)
  // The new window gets a copy of the session storage with the verifier. This window then removes its own.
  open(address)
  sessionStorage.removeItem(key)
})

const takeVerifier = () => {
  const verifier = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return verifier
}

/**
 * Exchanges the result from Google for a session. Fails if this tab has no verifier: another tab began the sign-in, or
 * somebody else's link led here.
 */
export const signedInByGoogle = (returned: GoogleReturn): Effect.Effect<ProviderAccess, unknown> =>
  Effect.suspend((): Effect.Effect<ProviderAccess, unknown> => {
    const verifier = takeVerifier()
    if (returned.is === "refused") {
      const { refusal, retryAfterSeconds } = returned
      return Effect.fail(Problem.make({ error: refusal, retryAfterSeconds }))
    }
    if (verifier === null) return Effect.fail(Problem.make({ error: "google_sign_in_over" }))
    return Effect.flatMap(
      connectWithCookie(),
      ({ googleExchange }) => googleExchange.exchange({ payload: { code: returned.code, verifier } })
    )
  })

/**
 * The words for a problem. Anyone can put an error code into the address, so a code that is not listed here gets the
 * words of an invalid answer.
 */
export const googleWords = (problem: Problem) => {
  if (Object.hasOwn(refusals, problem.error)) return refusals[problem.error as GoogleRefusal]
  if (!ownWords.has(problem.error)) return refusals.google_answer_invalid
  // Only the title says that the service can't be reached.
  return serviceAway.has(problem.error) ? problemText(problem) : problemWords(problem).text
}

const serviceAway = new Set(["service_unavailable", "internal_error", "unreachable"])

const ownWords = new Set([...serviceAway, "google_code_invalid", "rate_limited", "not_found"])

const refusals: Readonly<Record<GoogleRefusal, string>> = {
  google_cancelled: "You stopped at Google. Nothing happened. Try again, or use your password.",
  google_account_unknown:
    "This Google account is not registered. Ask your clinic's administrator, or choose another account.",
  google_email_unverified: "Google has not confirmed this account's e-mail. Confirm it at Google first.",
  provider_disabled: "This account is turned off. Ask your administrator.",
  google_account_changed:
    "Another Google account is tied to this e-mail. Use your password, or ask your administrator.",
  google_sign_in_over: "This sign-in has ended. Start again.",
  google_unavailable: "Google can't be reached. Use your password, or try again in a moment.",
  google_answer_invalid:
    "Google's answer could not be checked. Try again. If this happens again, tell your administrator."
}
