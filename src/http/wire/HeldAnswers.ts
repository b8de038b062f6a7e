import { Context, Effect, Layer } from "effect"
import { type HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { ByteBudget, type Hold, negligible } from "../../services/platform/ByteBudget.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { holderOf } from "./Holder.ts"
import { onGone, outgoingOf } from "./Http1.ts"

/** Maximum bytes that an upload or download keeps in memory: a block of 512 KiB, plain and sealed (FileSeal.ts). */
export const streamBytes = 1024 * 1024

/** The approximate length of a page of a record, in bytes, unless a single resource is larger. */
const pageBytes = 4 * 1024 * 1024

/** Counts an answer in the byte budget until the client's socket has taken it, even after the handler is done. */
export class HeldAnswers extends Context.Service<HeldAnswers, {
  /** Returns the response with the hold of its bytes, or 503 if the budget has no room for it. */
  readonly admit: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => { readonly response: HttpServerResponse.HttpServerResponse; readonly hold?: Hold }
  /** Returns the expected bytes of `holder`'s next large answer: a page's, or those of a larger one being sent. */
  readonly expected: (holder: string) => number
}>()("vrss/http/HeldAnswers") {
  static readonly layer = Layer.effect(
    HeldAnswers,
    Effect.gen(function*() {
      const budget = yield* ByteBudget
      const { trustedProxyHops } = yield* Settings
      const larger = new Map<string, number>()
      return HeldAnswers.of({
        expected: (holder) => larger.get(holder) ?? pageBytes,
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
        }
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
