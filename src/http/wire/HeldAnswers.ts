import { Context, Effect, Layer } from "effect"
import { type HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { ByteBudget, type Hold, negligible } from "../../services/platform/ByteBudget.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { holderOf } from "./Holder.ts"
import { onGone, outgoingOf } from "./Http1.ts"

/** What the stream of a file keeps at most, up or down: a block of 512 KiB (FileSeal.ts), and the same sealed. */
export const streamBytes = 1024 * 1024

/** A page of a record ends at about so much, unless a single resource is larger. */
const pageBytes = 4 * 1024 * 1024

/** Counts an answer's bytes until the client's socket has taken them, however long ago its handler was done. */
export class HeldAnswers extends Context.Service<HeldAnswers, {
  /** Answers the response itself with the hold of its bytes, or 503 where the budget has no room for it. */
  readonly admit: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => { readonly response: HttpServerResponse.HttpServerResponse; readonly hold?: Hold }
  /** The bytes that a large answer to `holder` will take: a page, or as much as the last that is not taken yet. */
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
          // What a step has done is told all the same: a view that may be had once, a link that was made.
          const admitted = fits || request.method !== "GET"
          if (admitted && !fits) hold.take(bytes)
          const isLarger = admitted && bytes > pageBytes
          if (isLarger) larger.set(holder, bytes)
          onGone(outgoingOf(request), () => {
            hold.release()
            if (isLarger) larger.delete(holder)
          })
          return admitted ? { response, hold } : { response: crowded }
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
    // A raw body is the one buffer that all its answers share (ApiDocumentation.ts).
    default:
      return 0
  }
}

/** The answer where the budget has no room for what was asked or sent. */
export const crowded = HttpServerResponse.jsonUnsafe(ServiceUnavailable.crowded, { status: 503 })
