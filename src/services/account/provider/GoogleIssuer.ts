import { Data, Effect, Redacted, Semaphore } from "effect"
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError
} from "openid-client"
import type { GoogleRefusal } from "../../../domain/GoogleSignIn.ts"
import type { GoogleSettings } from "../../platform/Settings.ts"
import type { BegunSignIn } from "./BegunSignIns.ts"

export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly code: GoogleRefusal
  /** For the operator's log: a code of the protocol, the library or the system. */
  readonly why?: string
}> {}

/** The person according to Google. The e-mail is always verified. */
export interface GoogleAccount {
  readonly subject: string
  readonly email: string
}

/** The longest time for one answer of Google, in seconds. A sign-in needs at most three (metadata, token, keys). */
const maxAnswerSeconds = 3

const maxAnswerBytes = 256 * 1024

/** Maximum number of concurrent code exchanges. More are refused, so that no crowd waits if Google is slow. */
const exchangesAtOnce = 20

/** How long Google's metadata is used, in milliseconds. */
const metadataMillis = 3_600_000

/** After a failure, sign-ins fail immediately for this many milliseconds instead of each waiting for Google. */
const failureMillis = 3_000

class NotIdentified extends Data.TaggedError("NotIdentified")<{ readonly error: unknown }> {}

/** Google could not be reached, or its server failed. `code` is an error code of the system or an HTTP status. */
class NoAnswer extends Error {
  readonly code: string
  constructor(code: string) {
    super(`no answer (${code})`)
    this.code = code
  }
}

/** Signs people in at an OpenID Connect issuer, which is Google (OpenID Connect Core 1.0, 3.1; RFC 9700, 2.1.1). */
export const makeGoogleIssuer = ({ clientId, clientSecret, issuer }: GoogleSettings, redirectUri: string) => {
  let configuration: Promise<Configuration> | undefined
  let knownUntil = 0

  /** Reads Google's metadata, once an hour for all sign-ins. */
  const configured = () => {
    if (configuration !== undefined && performance.now() < knownUntil) return configuration
    const metadata = {
      client_secret: Redacted.value(clientSecret),
      // Google's algorithm: the token itself must not choose how it is verified (RFC 8725, 3.1).
      id_token_signed_response_alg: "RS256",
      [clockTolerance]: 30
    }
    const discovered = discovery(new URL(issuer), clientId, metadata, undefined, {
      timeout: maxAnswerSeconds,
      [customFetch]: boundedFetch,
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])]
    })
    configuration = discovered
    knownUntil = Infinity
    const keepFor = (millis: number) => () => {
      knownUntil = performance.now() + millis
    }
    discovered.then(keepFor(metadataMillis), keepFor(failureMillis))
    return discovered
  }

  const exchanges = Semaphore.makeUnsafe(exchangesAtOnce)

  const ask = <A>(question: (configuration: Configuration) => Promise<A>): Effect.Effect<A, SignInRefused> =>
    Effect.tryPromise({ try: async () => question(await configured()), catch: (error) => new NotIdentified({ error }) })
      .pipe(
        Effect.mapError(({ error }) => {
          const code = refusalOf(error)
          return new SignInRefused({ code, ...(code === "google_cancelled" ? {} : { why: codeOf(error) }) })
        })
      )

  return {
    reach: Effect.asVoid(ask((configuration) => Promise.resolve(configuration))),
    /** Google's page always asks which account to use, because clinics share computers. */
    signInUrl: ({ nonce, state, verifier }: BegunSignIn) =>
      ask(async (configuration) =>
        buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "openid email",
          prompt: "select_account",
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          state,
          nonce
        }).href
      ),
    /** Exchanges the code with which a browser came back. `search` is the query of its address. */
    identify: (search: string, { nonce, state, verifier }: BegunSignIn): Effect.Effect<GoogleAccount, SignInRefused> =>
      ask(async (configuration) => {
        const tokens = await authorizationCodeGrant(configuration, new URL(search, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true
        })
        return tokens.claims()!
      }).pipe(
        Effect.flatMap(({ azp, email, email_verified: verified, sub: subject }) => {
          // The library accepts any subject, and checks `azp` only for several audiences (OpenID Connect Core, 2).
          const ours = (azp ?? clientId) === clientId && /^[\x20-\x7e]{1,255}$/.test(subject)
          if (!ours) return new SignInRefused({ code: "google_answer_invalid", why: "azp or sub" })
          return verified === true && typeof email === "string"
            ? Effect.succeed({ subject, email })
            : new SignInRefused({ code: "google_email_unverified" })
        }),
        exchanges.withPermitsIfAvailable(1),
        Effect.flatMap(Effect.fromOption),
        Effect.catchTag("NoSuchElementError", () => new SignInRefused({ code: "google_unavailable", why: "too many" }))
      )
  }
}

/** Limits the size of an answer, reads all of it within the time limit, and follows no redirect. */
const boundedFetch: CustomFetch = async (url, options) => {
  try {
    const response = await fetch(url, { ...options, redirect: "manual" } as RequestInit)
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel()
      throw new NoAnswer(`${response.status}`)
    }
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxAnswerBytes) throw new NoAnswer("too large")
      chunks.push(chunk)
    }
    return new Response(size === 0 ? null : Buffer.concat(chunks), {
      status: response.status,
      headers: response.headers
    })
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer(codeOf(error))
  }
}

const refusalOf = (error: unknown) => {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === "access_denied") return "google_cancelled"
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? "google_unavailable" : "google_answer_invalid"
  }
  const { cause } = error as { readonly cause?: unknown }
  return error instanceof NoAnswer || cause instanceof NoAnswer ? "google_unavailable" : "google_answer_invalid"
}

/** Returns a code of the protocol, the library or the system, and never free text from the network. */
const codeOf = (error: unknown): string => {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return /^[a-z_]{1,40}$/.test(error.error) ? error.error : "unknown code"
  }
  const { cause, code, name } = error as {
    readonly cause?: { readonly code?: unknown }
    readonly code?: unknown
    readonly name?: string
  }
  const codes = [cause instanceof NoAnswer ? cause.code : undefined, code, cause?.code, name]
  return codes.find((candidate) => typeof candidate === "string") ?? "unknown"
}
