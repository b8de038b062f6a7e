import { Context, Effect, Layer, Semaphore } from "effect"
import { type HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { ByteBudget, type Hold, negligible } from "../../services/platform/ByteBudget.ts"
import { makeKeyedTurns } from "../../services/platform/KeyedTurns.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { holderOf } from "./Holder.ts"
import { onGone, outgoingOf } from "./Http1.ts"

/** Maximum bytes that an upload or download keeps in memory: a block of 512 KiB, plain and sealed (FileSeal.ts). */
export const streamBytes = 1024 * 1024

/** The approximate length of a page of a record, in bytes, unless a single resource is larger. */
const pageBytes = 4 * 1024 * 1024

/** It is small, because making an answer takes up to four times its size in memory: it is read, decrypted, joined. */
const largeAnswersAtOnce = 2

/** Sorted searches may read a whole type, which takes seconds. So they have separate places. */
const sortedAtOnce = 2

export type Lane = "pages" | "sorted"

/** Counts an answer in the byte budget until the client's socket has taken it, even after the handler is done. */
export class Answers extends Context.Service<Answers, {
  /** Returns the response with the hold of its bytes, or 503 if the budget has no room for it. */
  readonly admit: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => { readonly response: HttpServerResponse.HttpServerResponse; readonly hold?: Hold }
  /**
   * Makes a large `answer` in the holder's turn, or answers 503 without making it if the budget has no room. Few are
   * made at a time in a lane, and one at a time for each holder, so that nobody takes all places.
   */
  readonly inTurn: (
    request: HttpServerRequest.HttpServerRequest,
    lane?: Lane
  ) => <E, R>(
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
}>()("vrss/http/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function*() {
      const budget = yield* ByteBudget
      const { trustedProxyHops } = yield* Settings
      const lanes = { pages: makeTurns(largeAnswersAtOnce), sorted: makeTurns(sortedAtOnce) }
      /** The bytes of an answer larger than a page that is being sent, by its holder. The next may be as large. */
      const larger = new Map<string, number>()
      return Answers.of({
        admit: (request, response) => {
          const bytes = request.method === "HEAD" ? 0 : bytesOf(response.body)
          if (bytes <= negligible) return { response }
          const holder = holderOf(request, trustedProxyHops)
          const hold = budget.open(holder)
          const fits = hold.resize(bytes)
          // Beyond the budget only a GET is refused. Other requests, such as a view, have already had their effect.
          const admitted = fits || request.method !== "GET"
          if (admitted && !fits) hold.take(bytes)
          const isLarger = admitted && bytes > pageBytes
          if (isLarger) larger.set(holder, bytes)
          onGone(outgoingOf(request), () => {
            hold.release()
            if (isLarger) larger.delete(holder)
          })
          return admitted ? { response, hold } : { response: crowdedAnswer }
        },
        inTurn: (request, lane = "pages") => (answer) =>
          Effect.suspend(() => {
            const holder = holderOf(request, trustedProxyHops)
            const hold = budget.open(holder)
            return Effect.suspend(() =>
              hold.resize(larger.get(holder) ?? pageBytes) ? answer : Effect.succeed(crowdedAnswer)
            ).pipe(
              Effect.ensuring(Effect.sync(hold.release)),
              lanes[lane](holder)
            )
          })
      })
    })
  )
}

const bytesOf = (body: HttpBody.HttpBody) => {
  switch (body._tag) {
    case "Uint8Array":
      return body.contentLength
    case "Stream":
      return streamBytes
    // A raw body counts as 0 bytes, because all answers with this body share one buffer (ApiDocumentation.ts).
    default:
      return 0
  }
}

export const crowdedAnswer = HttpServerResponse.jsonUnsafe(ServiceUnavailable.crowded, { status: 503 })

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
