import { Effect, Redacted } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { orProblem, Problem } from "../../shared/Problem.ts"
import { configuration } from "../../shared/Transport.ts"
import { connectToSignIn } from "../SignInClient.ts"
import { isRefused } from "./Access.ts"
import { keepSession, proofFor, readDevice } from "./DeviceKey.ts"

const refused = Effect.fail(Problem.make({ error: "unauthenticated" }))

/** Proves the device's key for a route (contract, 14.2). No key is made for it, because a new one has no session. */
export const provedAt = (path: string, nonce: string) =>
  Effect.gen(function*() {
    const { api } = yield* configuration
    const { key } = yield* Effect.promise(readDevice)
    if (key === undefined) return yield* refused
    return { dpop: yield* Effect.promise(() => proofFor(key, `${api}${path}`, nonce)) }
  })

/** Proves the device's key for a step of the sign-in. */
export const proveDeviceKey = (step: "session" | "pairing" | "renew" | "passkey", nonce: string) =>
  provedAt(`/api/auth/veteran/app/${step}`, nonce)

/** The id of the session that the device keeps. */
export const keptSessionId = Effect.promise(() => readDevice().then(({ sessionId }) => sessionId))

const renewedById = (sessionId: string): Effect.Effect<AppAccess, Problem> =>
  Effect.gen(function*() {
    const headers = yield* proveDeviceKey("renew", sessionId)
    const client = yield* connectToSignIn()
    return yield* client.appSignIn.renew({ headers, payload: { sessionId } })
  }).pipe(orProblem)

/** Renews the session that the device keeps. */
export const renewSession = Effect.flatMap(keptSessionId, (id = "") => id === "" ? refused : renewedById(id))

const endedBy = (token: string) =>
  Effect.flatMap(
    connectToSignIn(Redacted.make(token)),
    ({ deviceSessions }) => deviceSessions.endCurrent({ params: { veteranId: "me" } })
  ).pipe(orProblem)

/** Ends a session on the service, by its token or, without one that counts, by the device's key. */
export const endSession = (sessionId: string, token?: string): Effect.Effect<void, Problem> => {
  const byKey = Effect.flatMap(renewedById(sessionId), ({ accessToken }) => endedBy(accessToken))
  return token === undefined ? byKey : Effect.catchIf(endedBy(token), isRefused, () => byKey)
}

/** Keeps the id of a new session. The session before it on this device ends: nobody would end it otherwise. */
export const keepNewSession = (access: AppAccess) =>
  Effect.gen(function*() {
    const before = yield* keptSessionId
    yield* Effect.promise(() => keepSession(access.sessionId).catch(() => {}))
    if (before !== undefined && before !== "" && before !== access.sessionId) {
      const end = Effect.flatMap(
        connectToSignIn(Redacted.make(access.accessToken)),
        ({ deviceSessions }) => deviceSessions.end({ params: { veteranId: "me", sessionId: before } })
      )
      yield* Effect.forkDetach(Effect.ignore(end))
    }
    return access
  })
