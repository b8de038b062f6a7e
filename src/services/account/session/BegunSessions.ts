import { Effect } from "effect"
import { newDevices, sessionsBegun, sessionsOfKnown } from "../../../domain/DeviceSession.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { atEdge, OwnConnections } from "../../../sql/Connections.ts"
import { RateLimits } from "../../platform/RateLimits.ts"

type Step = { readonly status: "begun"; readonly veteranId: VeteranId } | { readonly status: string }

/**
 * Takes a step that may begin a session, and counts the session. What the veteran had before the last day is counted
 * by itself, so nobody else spends it. One too many does not begin, and uses up nothing. Any other outcome is kept even
 * if the client hangs up, such as a code that was counted.
 */
export const begunSessions = Effect.gen(function*() {
  const limits = yield* RateLimits
  const sql = yield* OwnConnections

  const count = Effect.fnUntraced(function*(veteranId: VeteranId, sessionId: string, passkeyId: string | undefined) {
    const known = yield* SignInRepository.knownWayIn(sql, veteranId, sessionId, passkeyId)
    if (known !== null) return yield* limits.count(sql, "sessions of a known way in", known, sessionsOfKnown)
    yield* limits.count(sql, "sessions begun", veteranId, sessionsBegun)
    if (yield* SignInRepository.isOfNewDevice(sql, veteranId, sessionId)) {
      yield* limits.count(sql, "sign-ins of new devices", veteranId, newDevices)
    }
  })

  return (sessionId: string, passkeyId?: string) =>
  <A extends Step>(step: Effect.Effect<A>): Effect.Effect<A, RateLimited> =>
    step.pipe(
      Effect.tap((begun) => "veteranId" in begun ? count(begun.veteranId, sessionId, passkeyId) : Effect.void),
      sql.withTransaction,
      atEdge,
      Effect.uninterruptible
    )
})
