import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

// The server speaks HTTP/1.1 alone, so that these are never of HTTP/2 (layers/Http.ts).

/** Node's own request; it stays the same however the request is wrapped. */
export const incomingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

export const outgoingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toServerResponse(request) as ServerResponse

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
