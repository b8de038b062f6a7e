import { Context, Effect, Layer, Scope } from "effect"
import { RateLimited } from "../../domain/RateLimit.ts"
import { DatabaseTime } from "../../sql/Connections.ts"
import { SessionLocks } from "../../sql/platform/SessionLocks.ts"
import { sampleGauge } from "./Gauges.ts"
import { countLimited } from "./RateLimits.ts"

/** Longest wait of a second request. The largest release takes up to half of this time. */
const maxWait = "1 minute"

const betweenLooks = "100 millis"

/**
 * Runs one task at a time for each turn, across all processes. A second request waits without holding a connection; a
 * third is refused. Do not rely on a turn to protect data. If its database session is lost, its task continues while
 * another may begin.
 */
export class Turns extends Context.Service<Turns, {
  /** `turn` names the work and its owner, as in 'release <veteran>'. */
  readonly inTurn: (turn: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RateLimited, R>
}>()("vrss/services/platform/Turns") {
  static readonly layer = Layer.effect(
    Turns,
    Effect.gen(function*() {
      const sessionLocks = yield* SessionLocks
      const refuse = Effect.suspend(() => {
        countLimited("one release or translation at a time")
        return Effect.fail(new RateLimited({ retryAfterSeconds: 2 }))
      })
      let waiting = 0
      yield* sampleGauge(
        "turns_waiting",
        "Requests that wait for their veteran's turn to sign or translate",
        () => waiting
      )

      const take = Effect.fnUntraced(function*(turn: string) {
        const scope = yield* Scope.Scope
        const locks = yield* sessionLocks.open
        const isMine = Scope.provide(locks.tryLock(turn), scope)
        if (yield* isMine) return
        waiting++
        yield* Effect.scoped(Effect.gen(function*() {
          if (!(yield* locks.tryLock(`${turn}, next`))) return yield* refuse
          while (!(yield* isMine)) yield* Effect.sleep(betweenLooks)
        })).pipe(
          // The wait does not count toward the request's time for the database. Each try has its own limit.
          Effect.provideService(DatabaseTime, undefined),
          Effect.timeoutOrElse({ duration: maxWait, orElse: () => refuse }),
          Effect.ensuring(Effect.sync(() => waiting--))
        )
      })

      return Turns.of({
        inTurn: (turn) => (effect) =>
          Effect.scopedWith((scope) => Effect.andThen(Scope.provide(take(turn), scope), effect))
      })
    })
  )
}
