import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"

/** Tells whether the client would rather have `mediaType` than JSON (RFC 9110, 12.5.1). */
export const prefers = ({ headers }: HttpServerRequest.HttpServerRequest, mediaType: string): boolean =>
  new Negotiator({ headers }).mediaType(["application/json", mediaType]) === mediaType
