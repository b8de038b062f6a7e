import { Effect } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { orProblem, Problem } from "../../shared/Problem.ts"
import { forgetDevice, keyOfDevice } from "../session/DeviceKey.ts"
import { keepNewSession, keptSessionId, provedAt, proveDeviceKey } from "../session/KeptSession.ts"
import { me } from "../session/Own.ts"
import type { Session } from "../session/Session.ts"
import { connectToSignIn } from "../SignInClient.ts"
import { askForPasskey, madePasskey } from "./Touch.ts"

/** A new question of the service, answered by a touch. */
const answered = Effect.gen(function*() {
  const client = yield* connectToSignIn()
  const { challenge } = yield* client.appSignIn.challenge({ payload: {} })
  return yield* askForPasskey(challenge)
})

/** A key that has opened nothing is not kept on a device that nobody knows. */
const forgetNewKey = Effect.flatMap(
  keptSessionId,
  (id) => id === undefined ? Effect.promise(forgetDevice) : Effect.void
)

/** Signs in by a touch. A device without a key makes one, once the veteran has touched. */
export const signedInByPasskey: Effect.Effect<AppAccess, Problem> = Effect.gen(function*() {
  const payload = yield* answered
  yield* Effect.tryPromise({ try: keyOfDevice, catch: () => Problem.make({ error: "key_unkept" }) })
  const headers = yield* proveDeviceKey("passkey", payload.challenge)
  const client = yield* connectToSignIn()
  return yield* Effect.flatMap(client.appSignIn.passkey({ headers, payload }), keepNewSession).pipe(
    Effect.tapError(() => forgetNewKey)
  )
}).pipe(orProblem)

/** Confirms the session by a touch. */
export const confirmedByPasskey = ({ call }: Session): Effect.Effect<void, Problem> =>
  Effect.gen(function*() {
    const payload = yield* answered
    const headers = yield* provedAt("/api/veteran/me/sessions/current/confirm", payload.challenge)
    yield* call(({ deviceSessions }) => deviceSessions.confirm({ params: me, headers, payload }))
  }).pipe(orProblem)

/** Makes a passkey. `confirmed` is asked only for the last step, so that the touch is not asked for twice. */
export const addedPasskey = (
  { call, callSign }: Session,
  name: string,
  confirmed: <A>(step: Effect.Effect<A, Problem>) => Effect.Effect<A, Problem>
) =>
  Effect.gen(function*() {
    const challenge = yield* call(({ passkeys }) => passkeys.challenge({ params: me, payload: {} }))
    const payload = yield* madePasskey(challenge, { callSign, name })
    return yield* confirmed(call(({ passkeys }) => passkeys.add({ params: me, payload })))
  })
