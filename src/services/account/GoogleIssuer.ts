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
import type { GoogleRefusal } from "../../domain/GoogleSignIn.ts"
import type { GoogleSettings } from "../platform/Settings.ts"
import type { BegunSignIn } from "./BegunSignIns.ts"

export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly code: GoogleRefusal
  /** What the operator should know: a code of the protocol, the library or the system. */
  readonly why?: string
}> {}

/** Who Google says the person is; an e-mail that Google has not verified is nobody's. */
export interface GoogleAccount {
  readonly subject: string
  readonly email: string
}

/** In seconds. A sign-in asks at most three times (its description, a token, its keys), and answers within ten seconds. */
const maxAnswerSeconds = 3

const maxAnswerBytes = 256 * 1024

/** So many browsers that came back are looked at; those beyond are refused, and no crowd waits for a Google that is slow. */
const exchangesAtOnce = 20

const millisKnown = 3_600_000

/** A Google that could not be reached is not asked again by everybody who tries meanwhile. */
const millisUnknown = 3_000

class NotIdentified extends Data.TaggedError("NotIdentified")<{ readonly error: unknown }> {}

/** Google could not be asked, or answered that it is not well. `code` is the system's, or an HTTP status. */
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

  /** Reads where Google's endpoints are: once for all who ask, and again after an hour. */
  const configured = () => {
    if (configuration !== undefined && performance.now() < knownUntil) return configuration
    const metadata = {
      client_secret: Redacted.value(clientSecret),
      // Google signs so, and no token chooses how it is verified (RFC 8725, 3.1).
      id_token_signed_response_alg: "RS256",
      [clockTolerance]: 30
    }
    const asked = discovery(new URL(issuer), clientId, metadata, undefined, {
      timeout: maxAnswerSeconds,
      [customFetch]: boundedFetch,
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])]
    })
    configuration = asked
    knownUntil = Infinity
    const keepFor = (millis: number) => () => {
      knownUntil = performance.now() + millis
    }
    asked.then(keepFor(millisKnown), keepFor(millisUnknown))
    return asked
  }

  const exchanges = Semaphore.makeUnsafe(exchangesAtOnce)

  const ask = <A>(asking: (configuration: Configuration) => Promise<A>): Effect.Effect<A, SignInRefused> =>
    Effect.tryPromise({ try: async () => asking(await configured()), catch: (error) => new NotIdentified({ error }) })
      .pipe(
        Effect.mapError(({ error }) => {
          const code = refusalOf(error)
          return new SignInRefused({ code, ...(code === "google_cancelled" ? {} : { why: codeOf(error) }) })
        })
      )

  return {
    /** Looks whether Google answers at all. */
    reach: Effect.asVoid(ask((configuration) => Promise.resolve(configuration))),
    /** Answers where a person signs in. On a clinic's shared computer Google is to ask with which account. */
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
    /** Asks Google whose the code is with which a browser came back; `search` is the query of its address. */
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
          // The library looks at `azp` of several audiences alone, and takes any text for a subject (OpenID Connect Core, 2).
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

/** An answer has one size at most, is read within the time, and leads nowhere else. */
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

/** Answers a code of the protocol, the library or the system: no word that came over the network as text. */
const codeOf = (error: unknown): string => {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return /^[a-z_]{1,40}$/.test(error.error) ? error.error : "unknown code"
  }
  const { cause, code, name } = error as {
    readonly cause?: { readonly code?: unknown }
    readonly code?: unknown
    readonly name?: string
  }
  const told = [cause instanceof NoAnswer ? cause.code : undefined, code, cause?.code, name]
  return told.find((one) => typeof one === "string") ?? "unknown"
}
