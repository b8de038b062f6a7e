import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { clientAddress } from "./ClientAddress.ts"
import { incomingOf } from "./Http1.ts"

const signedIn = new WeakMap<IncomingMessage, string>()

/** From now on the request's bytes count for `subject`, who is signed in. */
export const setHolder = (request: HttpServerRequest.HttpServerRequest, subject: string) =>
  void signedIn.set(incomingOf(request), subject)

/** The person or app's grant whose token the request has, if it has one. */
export const signedInAt = (request: HttpServerRequest.HttpServerRequest) => signedIn.get(incomingOf(request))

/** The holder of the bytes of a request and its answer: the signed-in subject, or else the client's address. */
export const holderOf = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  signedIn.get(incomingOf(request)) ?? clientAddress(request, hops)
