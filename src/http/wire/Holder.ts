import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { clientAddress } from "./ClientAddress.ts"
import { incomingOf } from "./Http1.ts"

const signedIn = new WeakMap<IncomingMessage, string>()

/** From here on the request's bytes count as those of `subject`, who is signed in. */
export const setHolder = (request: HttpServerRequest.HttpServerRequest, subject: string) =>
  void signedIn.set(incomingOf(request), subject)

/** Whose bytes those of a request and its answer are: of who is signed in, else of the client's address. */
export const holderOf = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  signedIn.get(incomingOf(request)) ?? clientAddress(request, hops)
