import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

// The server speaks HTTP/1.1 only (layers/Server.ts), so these functions never return objects of HTTP/2.

/** Node's own request. It stays the same when the request is wrapped. */
export const incomingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

export const outgoingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toServerResponse(request) as ServerResponse

const endings = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs `end` once the response is sent or its connection is lost. If the connection is lost, a response that waits
 * behind another one (pipelining) gets no event. So each socket has one listener for all its responses.
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

const encodedOperation = /^(\/api\/fhir\/R4\/Patient\/[^/?]+\/)%24(?=everything(?:\?|$))/

/** Decodes the `$` of a FHIR operation: some clients encode it, and the router decodes only a path's parameters. */
export const decodeOperation = (request: IncomingMessage) => {
  request.url = request.url?.replace(encodedOperation, "$1$$")
}
