import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { AppAccess, VeteranIdentity } from "../../../src/domain/DeviceSession.ts"
import { PairingRequired } from "../../../src/domain/DeviceSession.ts"
import { orProblem, Problem } from "../../shared/Problem.ts"
import type { Confirmed } from "../confirm/Confirmed.ts"
import { chosenLanguage } from "../language/AppLanguage.ts"
import { base64UrlSha256, keyOfDevice, nonceFor } from "../session/DeviceKey.ts"
import { keepNewSession, provedAt, proveDeviceKey } from "../session/KeptSession.ts"
import type { Session } from "../session/Session.ts"
import { connectToSignIn } from "../SignInClient.ts"
import { vaConfiguration } from "../VaConfiguration.ts"
import { deviceName } from "./DeviceName.ts"
import { waitingInvite } from "./Invite.ts"
import { redeemCode } from "./TokenAnswer.ts"
import { keepVaGrant } from "./VaGrant.ts"
import { keepJourney, type KnownReturn, type Purpose, type VaReturn } from "./VaReturn.ts"

/** Where the VA sends the browser back. It is registered at the VA. */
const redirectUri = () => `${location.origin}/`

const random = () => Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))

const refused = (error: string) => Effect.fail(Problem.make({ error }))

const va = Effect.filterOrElse(vaConfiguration, (va) => va !== undefined, () => refused("va_missing"))

/** A sign-in at the VA that is younger, in seconds, is not asked for again by one that confirms a session. */
const freshSignIn = 240

/** Sends the browser to the VA. It comes back to the route, with a new session or for something in this one. */
export const goToVa = (back: string, purpose?: Purpose) =>
  Effect.gen(function*() {
    const { authorizationUrl, clientId, scopes } = yield* va
    // A window in private mode may keep no key.
    const key = yield* Effect.catch(Effect.tryPromise(keyOfDevice), () => refused("key_unkept"))
    const { challenge } = yield* Effect.flatMap(connectToSignIn(), ({ appSignIn }) =>
      appSignIn.challenge({ payload: {} }))
    const [verifier, state, invite] = [random(), random(), waitingInvite()]
    const [nonce, codeChallenge] = yield* Effect.promise(() =>
      Promise.all([nonceFor(key, challenge), base64UrlSha256(verifier)])
    )
    keepJourney({
      verifier,
      state,
      challenge,
      back,
      language: chosenLanguage(),
      ...(purpose === undefined ? {} : { purpose }),
      ...(invite === undefined ? {} : { invite })
    })
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri(),
      scope: scopes,
      state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
      // The service asks how long ago the sign-in was (OpenID Connect Core, 3.1.2.1).
      ...(purpose === "confirms" ? { max_age: `${freshSignIn}` } : {}),
      // Otherwise the VA signs in at once with the account that it knows from before.
      ...(purpose === "adds" ? { prompt: "login" } : {})
    })
    const address = `${authorizationUrl}?${asked}`
    // The back button must not lead to a page that goes on to the VA by itself.
    if (purpose === "confirms") {
      location.replace(address)
    } else location.assign(address)
  })

/** How a sign-in ended: with a session, or with the question of whose record it is. */
export type SignIn =
  | { readonly is: "signedIn"; readonly access: AppAccess }
  | { readonly is: "unpaired"; readonly pairingId: string }

/** The code counts once, so that a sign-in to which there was no answer begins anew. */
const isAway = new Set(["unreachable", "service_unavailable", "internal_error", "request_timeout"])

/** What the VA gives when the browser comes back. */
const answered = (returned: VaReturn) =>
  Effect.gen(function*() {
    if (returned.is === "foreign") return yield* refused("va_foreign")
    if (returned.is === "refused") {
      return yield* refused(returned.refusal === "access_denied" ? "va_denied" : "va_unfinished")
    }
    const { challenge, verifier } = returned.journey
    const { clientId, tokenUrl } = yield* va
    const answer = yield* redeemCode({ tokenUrl, clientId, verifier, redirectUri: redirectUri(), code: returned.code })
    return { ...answer, challenge }
  })

/** Every failure as a problem that has words. */
const orWords = <A>(step: Effect.Effect<A, unknown>): Effect.Effect<A, Problem> =>
  orProblem(step).pipe(
    Effect.mapError((problem) => isAway.has(problem.error) ? Problem.make({ error: "va_unfinished" }) : problem)
  )

/** Finishes the sign-in when the browser comes back. The VA's access token stays here (VaGrant.ts). */
export const signedInByVa = (returned: VaReturn): Effect.Effect<SignIn, Problem> =>
  Effect.gen(function*() {
    const { challenge, idToken, patientId, ...token } = yield* answered(returned)
    const headers = yield* proveDeviceKey("session", challenge)
    const payload = { idToken, challenge, vaPatientId: patientId, device: { name: deviceName(navigator.userAgent) } }
    keepVaGrant({ ...token, patientId })
    return yield* Effect.flatMap(connectToSignIn(), ({ appSignIn }) => appSignIn.session({ headers, payload })).pipe(
      Effect.flatMap(keepNewSession),
      Effect.map((access): SignIn => ({ is: "signedIn", access })),
      Effect.catchIf(
        (error) => error instanceof PairingRequired,
        ({ pairingId }): Effect.Effect<SignIn> => Effect.succeed({ is: "unpaired", pairingId })
      ),
      Effect.tapError(() => Effect.sync(() => keepVaGrant(undefined)))
    )
  }).pipe(orWords)

/** Confirms the session when the browser comes back. The VA's access token is let go: this window is closed next. */
export const confirmedByVa = ({ call }: Session, returned: KnownReturn): Effect.Effect<void, Problem> =>
  Effect.gen(function*() {
    const { challenge, idToken, patientId } = yield* answered(returned)
    const headers = yield* provedAt("/api/veteran/me/sessions/current/confirm", challenge)
    yield* call(({ deviceSessions }) =>
      deviceSessions.confirm({
        params: { veteranId: "me" },
        headers,
        payload: { idToken, challenge, vaPatientId: patientId }
      })
    )
  }).pipe(orWords)

/** Lets the account with which the veteran signed in at the VA open this record too, when the browser comes back. */
export const addedByVa = (
  { call }: Session,
  confirmed: Confirmed,
  returned: KnownReturn
): Effect.Effect<VeteranIdentity, Problem> =>
  Effect.gen(function*() {
    const { challenge, idToken, patientId } = yield* answered(returned)
    // A proof counts once, so that a call after a confirmation needs another one.
    const headers = provedAt("/api/veteran/me/identities", challenge).pipe(orProblem)
    const payload = { idToken, challenge, vaPatientId: patientId }
    return yield* confirmed(Effect.flatMap(headers, (headers) =>
      call(({ deviceSessions }) =>
        deviceSessions.addIdentity({ params: { veteranId: "me" }, headers, payload })
      )))
  }).pipe(orWords)

/** Proves once whose record it is, by the code of the mail or of the paper. */
export const pairAccount = (pairingId: string, code: string): Effect.Effect<AppAccess, Problem> =>
  Effect.gen(function*() {
    const headers = yield* proveDeviceKey("pairing", pairingId)
    const client = yield* connectToSignIn()
    return yield* Effect.flatMap(client.appSignIn.pairing({ headers, payload: { pairingId, code } }), keepNewSession)
  }).pipe(orProblem)
