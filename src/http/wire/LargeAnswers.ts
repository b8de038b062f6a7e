import { Context, Effect, Layer, Semaphore } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ByteBudget } from "../../services/platform/ByteBudget.ts"
import { makeKeyedTurns } from "../../services/platform/KeyedTurns.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { crowdedAnswer, HeldAnswers } from "./HeldAnswers.ts"
import { holderOf } from "./Holder.ts"

/** It is small, because making an answer takes up to four times its size in memory: it is read, decrypted, joined. */
const largeAnswersAtOnce = 2

/** Makes few large answers at a time, and one at a time for each holder, so that nobody takes all places. */
export class LargeAnswers extends Context.Service<LargeAnswers, {
  /** Makes `answer` in the holder's turn, or answers 503 without making it if the byte budget has no room. */
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
      const inTurnOf = makeTurns(largeAnswersAtOnce)
      return LargeAnswers.of({
        inTurn: (request) => (answer) =>
          Effect.suspend(() => {
            const holder = holderOf(request, trustedProxyHops)
            const hold = budget.open(holder)
            return Effect.suspend(() => hold.resize(answers.expected(holder)) ? answer : Effect.succeed(crowdedAnswer))
              .pipe(
                Effect.ensuring(Effect.sync(hold.release)),
                inTurnOf(holder)
              )
          })
      })
    })
  )
}

/** Runs one effect at a time for each holder, and `places` in all, in the order of their arrival. */
export const makeTurns = (places: number) => {
  const all = Semaphore.makeUnsafe(places)
  const turns = makeKeyedTurns<string>()
  return (holder: string) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const { inTurn, leave } = turns.enter(holder)
      return work.pipe(all.withPermit, inTurn, Effect.ensuring(Effect.sync(leave)))
    })
}
