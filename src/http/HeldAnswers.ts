import { Context, Effect, Layer } from "effect"
import { type HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { ServiceUnavailable } from "../domain/Errors.ts"
import { ByteBudget } from "../services/platform/ByteBudget.ts"
import { Settings } from "../services/platform/Settings.ts"
import { holderOf } from "./Holder.ts"
import { outgoingOf } from "./Http1.ts"
import { SlowClients } from "./SlowClients.ts"

/** What the stream of a file keeps at most, up or down: a block of 512 KiB (FileSeal.ts), and the same sealed. */
export const streamBytes = 1024 * 1024

/** A page of a record ends at about so much, unless a single resource is larger. */
const pageBytes = 4 * 1024 * 1024

/** Counts an answer's bytes until the client's socket has taken them, however long ago its handler was done. */
export class HeldAnswers extends Context.Service<HeldAnswers, {
  /** Answers the response itself, or 503 where the budget has no room for it. */
  readonly admit: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse
  /** The bytes that a large answer to `holder` will take: a page, or as much as the last that is not taken yet. */
  readonly expected: (holder: string) => number
}>()("vrss/http/HeldAnswers") {
  static readonly layer = Layer.effect(
    HeldAnswers,
    Effect.gen(function*() {
      const budget = yield* ByteBudget
      const slowClients = yield* SlowClients
      const { trustedProxyHops } = yield* Settings
      const larger = new Map<string, number>()
      return HeldAnswers.of({
        expected: (holder) => larger.get(holder) ?? pageBytes,
        admit: (request, response) => {
          const holder = holderOf(request, trustedProxyHops)
          const hold = budget.open(holder)
          const bytes = request.method === "HEAD" ? 0 : bytesOf(response.body)
          const fits = hold.resize(bytes)
          // What a step has done is told all the same: a view that may be had once, a link that was made.
          const admitted = fits || request.method !== "GET"
          if (admitted && !fits) hold.take(bytes)
          const isLarger = admitted && bytes > pageBytes
          if (isLarger) larger.set(holder, bytes)
          const nodeResponse = outgoingOf(request)
          const unwatch = slowClients.watchAnswer(nodeResponse)
          onGone(nodeResponse, () => {
            unwatch()
            hold.release()
            if (isLarger) larger.delete(holder)
          })
          return admitted ? response : crowded
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

const endings = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs `end` once the response was taken whole or its connection is lost. One that waits behind another of its connection
 * (pipelining) is not told of the loss, so that its socket is listened to as well, once for all of them.
 */
export const onGone = (response: ServerResponse, end: () => void) => {
  const { socket } = response.req
  if (response.closed || socket.destroyed) return end()
  let ends = endings.get(socket)
  if (ends === undefined) {
    const all = new Set<() => void>()
    endings.set(socket, ends = all)
    socket.once("close", () => all.forEach((endOne) => endOne()))
  }
  const all = ends
  const once = () => void (all.delete(once) && end())
  all.add(once)
  response.once("close", once)
}
