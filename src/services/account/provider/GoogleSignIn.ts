import { Clock, Context, Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import {
  GoogleCodeInvalid,
  type GoogleExchange,
  googleRefusals,
  ProviderDisabled
} from "../../../domain/GoogleSignIn.ts"
import type { ProviderSession } from "../../../domain/Provider.ts"
import * as GoogleSignInRepository from "../../../sql/account/GoogleSignInRepository.ts"
import * as ProviderRepository from "../../../sql/account/ProviderRepository.ts"
import { OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { Crypto, newSecret } from "../../platform/Crypto.ts"
import { counters } from "../../platform/Gauges.ts"
import { newId } from "../../platform/Ids.ts"
import { Settings } from "../../platform/Settings.ts"
import { type BegunSignIn, makeBegunSignIns } from "./BegunSignIns.ts"
import { makeGoogleIssuer, SignInRefused } from "./GoogleIssuer.ts"
import { isAscii, sessionHours } from "./ProviderAuth.ts"

const countSignIn = counters("provider_google_sign_ins_total", {
  description: "Providers who came back from Google, by outcome",
  label: "outcome",
  values: ["accepted", ...googleRefusals]
})

const callbackPath = "/api/provider/google/callback"

const logRefusal = ({ code, why }: SignInRefused) => {
  const problem = code === "google_unavailable" ? "Google gave no answer" : "Google's answer was refused"
  return why === undefined ? Effect.void : Effect.logWarning(`Google sign-in: ${problem} (${why})`)
}

interface SignIn {
  /** Returns the address for the browser, and the cookie that it must come back with. */
  readonly begin: (
    challenge: string
  ) => Effect.Effect<{ readonly location: string; readonly cookie: string }, SignInRefused>
  /** Returns None if this browser did not begin the sign-in, or began it too long ago. */
  readonly recognise: (cookie: string, state: string) => Effect.Effect<Option.Option<BegunSignIn>>
  /** Returns the one-time code for the portal's page. `search` is the query with which the browser came back. */
  readonly finish: (begun: BegunSignIn, search: string) => Effect.Effect<string, SignInRefused>
  readonly exchange: (
    request: typeof GoogleExchange.Type
  ) => Effect.Effect<ProviderSession, GoogleCodeInvalid | ProviderDisabled>
}

/** Signs providers in with Google (contract, part 9). The service is None if Google is not configured. */
export class GoogleSignIn
  extends Context.Service<GoogleSignIn, Option.Option<SignIn>>()("vrss/services/account/provider/GoogleSignIn")
{
  static readonly layer = Layer.effect(
    GoogleSignIn,
    Effect.gen(function*() {
      const { google, publicUrl } = yield* Settings
      const begun = makeBegunSignIns(yield* Crypto)
      const providers = ProviderRepository.make(yield* SharedConnections)
      const signIns = GoogleSignInRepository.make(yield* OwnConnections)
      if (google === undefined) return Option.none<SignIn>()
      const issuer = makeGoogleIssuer(google, `${publicUrl}${callbackPath}`)

      const begin = Effect.fn("GoogleSignIn.begin")(function*(challenge: string) {
        const { cookie, ...signIn } = begun.begin(challenge, yield* Clock.currentTimeMillis)
        return { location: yield* Effect.tapError(issuer.signInUrl(signIn), logRefusal), cookie }
      })

      const recognise = (cookie: string, state: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => begun.recognise(cookie, state, now))

      const codeFor = Effect.fnUntraced(function*(signIn: BegunSignIn, search: string) {
        const { email, subject } = yield* Effect.tapError(issuer.identify(search, signIn), logRefusal)
        const code = newSecret()
        const { challenge, hash } = signIn
        const signInRow = { subject, email, hash, codeHash: begun.codeHash(code), challenge }
        const account = isAscii(email) ? yield* signIns.finish(signInRow) : undefined
        if (account?.known !== true) return yield* new SignInRefused({ code: "google_account_unknown" })
        if (!account.enabled) return yield* new SignInRefused({ code: "provider_disabled" })
        if (!account.same) return yield* new SignInRefused({ code: "google_account_changed" })
        if (!account.first) return yield* new SignInRefused({ code: "google_sign_in_over" })
        return code
      })

      const finish = Effect.fn("GoogleSignIn.finish")((signIn: BegunSignIn, search: string) =>
        codeFor(signIn, search).pipe(
          Effect.tap(() => Effect.sync(() => countSignIn("accepted"))),
          Effect.tapError(({ code }) => Effect.sync(() => countSignIn(code)))
        )
      )

      const exchange = Effect.fn("GoogleSignIn.exchange")(function*({ code, verifier }: typeof GoogleExchange.Type) {
        const sessionId = newId()
        const challenge = createHash("sha256").update(verifier).digest("base64url")
        const spent = yield* signIns.spend({
          codeHash: begun.codeHash(code),
          challenge,
          sessionId,
          hours: sessionHours
        })
        if (Option.isNone(spent)) return yield* new GoogleCodeInvalid()
        const session = spent.value.opened ? yield* providers.findSession(sessionId) : Option.none()
        if (Option.isNone(session)) return yield* new ProviderDisabled()
        const { expiresAt, ...provider } = session.value
        return { sessionId, expiresAt, provider }
      })

      return Option.some({ begin, recognise, finish, exchange })
    })
  )
}
