import { NodeHttpServerRequest } from "@effect/platform-node"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"

// The server speaks HTTP/1.1 alone, so that these are never of HTTP/2 (layers/Http.ts).

/** Node's own request; it stays the same however the request is wrapped. */
export const incomingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

export const outgoingOf = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toServerResponse(request) as ServerResponse
