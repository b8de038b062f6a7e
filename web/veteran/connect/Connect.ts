import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { PairingRequired } from "../../../src/domain/DeviceSession.ts"
import { orProblem, Problem } from "../../shared/Problem.ts"
import { hashed, keyOfDevice, nonceFor } from "../session/DeviceKey.ts"
import { begun, proved } from "../session/KeptSession.ts"
import { connectToSignIn } from "../SignInClient.ts"
import { vaConfiguration } from "../VaConfiguration.ts"
import { deviceName } from "./DeviceName.ts"
import { waitingInvite } from "./Invite.ts"
import { redeemed } from "./TokenAnswer.ts"
import { keepVaGrant } from "./VaGrant.ts"
import { keepJourney, type VaReturn } from "./VaReturn.ts"

/** Where the VA sends the browser back. It is registered at the VA. */
const redirectUri = () => `${location.origin}/`

const random = () => Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))

const refused = (error: string) => Effect.fail(Problem.make({ error }))

const va = Effect.filterOrElse(vaConfiguration, (va) => va !== undefined, () => refused("va_missing"))

/** Sends the browser to the VA's sign-in, from which it comes back to the route. */
export const goToVa = (back: string) =>
  Effect.gen(function*() {
    const { authorizationUrl, clientId, scopes } = yield* va
    // A window in private mode may keep no key.
    const key = yield* Effect.catch(Effect.tryPromise(keyOfDevice), () => refused("key_unkept"))
    const { challenge } = yield* Effect.flatMap(connectToSignIn(), ({ appSignIn }) =>
      appSignIn.challenge({ payload: {} }))
    const [verifier, state, invite] = [random(), random(), waitingInvite()]
    const [nonce, codeChallenge] = yield* Effect.promise(() =>
      Promise.all([nonceFor(key, challenge), hashed(verifier)])
    )
    keepJourney({ verifier, state, challenge, back, ...(invite === undefined ? {} : { invite }) })
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri(),
      scope: scopes,
      state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: "S256"
    })
    location.assign(`${authorizationUrl}?${asked}`)
  })

/** How a sign-in ended: with a session, or with the question of whose record it is. */
export type SignIn =
  | { readonly is: "signedIn"; readonly access: AppAccess }
  | { readonly is: "unpaired"; readonly pairingId: string }

/** The code counts once, so that a sign-in to which there was no answer begins anew. */
const isAway = new Set(["unreachable", "service_unavailable", "internal_error", "request_timeout"])

/** Finishes the sign-in when the browser comes back. The VA's access token stays here (VaGrant.ts). */
export const signedInByVa = (returned: VaReturn): Effect.Effect<SignIn, Problem> =>
  Effect.gen(function*() {
    if (returned.is === "foreign") return yield* refused("va_foreign")
    if (returned.is === "refused") {
      return yield* refused(returned.refusal === "access_denied" ? "va_denied" : "va_unfinished")
    }
    const { challenge, verifier } = returned.journey
    const { clientId, tokenUrl } = yield* va
    const { idToken, patientId, ...token } = yield* redeemed({
      tokenUrl,
      clientId,
      verifier,
      redirectUri: redirectUri(),
      code: returned.code
    })
    const headers = yield* proved("session", challenge)
    const payload = { idToken, challenge, vaPatientId: patientId, device: { name: deviceName(navigator.userAgent) } }
    keepVaGrant({ ...token, patientId })
    return yield* Effect.flatMap(connectToSignIn(), ({ appSignIn }) => appSignIn.session({ headers, payload })).pipe(
      Effect.flatMap(begun),
      Effect.map((access): SignIn => ({ is: "signedIn", access })),
      Effect.catchIf(
        (error) => error instanceof PairingRequired,
        ({ pairingId }): Effect.Effect<SignIn> => Effect.succeed({ is: "unpaired", pairingId })
      ),
      Effect.tapError(() => Effect.sync(() => keepVaGrant(undefined)))
    )
  }).pipe(
    orProblem,
    Effect.mapError((problem) => isAway.has(problem.error) ? Problem.make({ error: "va_unfinished" }) : problem)
  )

/** Proves once whose record it is, by the code of the mail or of the paper. */
export const paired = (pairingId: string, code: string): Effect.Effect<AppAccess, Problem> =>
  Effect.gen(function*() {
    const headers = yield* proved("pairing", pairingId)
    const client = yield* connectToSignIn()
    return yield* Effect.flatMap(client.appSignIn.pairing({ headers, payload: { pairingId, code } }), begun)
  }).pipe(orProblem)
