import { Context, Effect, Layer, Semaphore } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ByteBudget } from "../services/platform/ByteBudget.ts"
import { Settings } from "../services/platform/Settings.ts"
import { crowded, HeldAnswers } from "./HeldAnswers.ts"
import { holderOf } from "./Holder.ts"

/** Each keeps up to four times its page while it is made: as read, opened, and joined. */
const largeAnswersAtOnce = 2

/** Large answers are made few at a time, and one at a time for each who asks: nobody's crowd keeps others from a place. */
export class LargeAnswers extends Context.Service<LargeAnswers, {
  /** Answers 503 where the budget of bytes has no room: nothing is read in vain. */
  readonly inTurn: (
    request: HttpServerRequest.HttpServerRequest
  ) => <E, R>(
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
}>()("vrss/http/LargeAnswers") {
  static readonly layer = Layer.effect(
    LargeAnswers,
    Effect.gen(function*() {
      const answers = yield* HeldAnswers
      const budget = yield* ByteBudget
      const { trustedProxyHops } = yield* Settings
      const places = Semaphore.makeUnsafe(largeAnswersAtOnce)
      const turns = new Map<string, { readonly turn: Semaphore.Semaphore; asked: number }>()

      const inOwnTurn = (holder: string) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const own = turns.get(holder) ?? { turn: Semaphore.makeUnsafe(1), asked: 0 }
          own.asked++
          turns.set(holder, own)
          const leave = Effect.sync(() => {
            if (--own.asked === 0) turns.delete(holder)
          })
          return Effect.ensuring(own.turn.withPermit(work), leave)
        })

      return LargeAnswers.of({
        inTurn: (request) => (answer) =>
          Effect.suspend(() => {
            const holder = holderOf(request, trustedProxyHops)
            const hold = budget.open(holder)
            return Effect.suspend(() => hold.resize(answers.expected(holder)) ? answer : Effect.succeed(crowded)).pipe(
              Effect.ensuring(Effect.sync(hold.release)),
              places.withPermit,
              inOwnTurn(holder)
            )
          })
      })
    })
  )
}
