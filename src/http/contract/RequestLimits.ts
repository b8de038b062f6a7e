import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  InvalidJson,
  InvalidRequest,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/Errors.ts"
import { type Limit, RateLimited } from "../../domain/RateLimit.ts"
import type { CurrentVeteran } from "./Authorization.ts"

export interface BodyLimit {
  /** The bytes are counted after decompression, and without the member that `besides` names. */
  readonly bytes: number
  readonly encodings: ReadonlyArray<string>
  /** The text at this path of the JSON may take so many bytes more. */
  readonly besides?: { readonly member: ReadonlyArray<string>; readonly bytes: number }
}

/** Annotates an endpoint with the largest body and the encodings that it takes. */
export const BodyLimit = Context.Reference<BodyLimit>("vrss/http/BodyLimit", {
  defaultValue: () => ({ bytes: 64 * 1024, encodings: [] })
})

export const smallBody = { bytes: 4 * 1024, encodings: [] }

/** What an app or a page of the authorization server sends, which is always a form. */
export const smallForm = { bytes: 8 * 1024, encodings: [] }

/**
 * Annotates an endpoint whose answer may take megabytes to make: few are made at a time, and one for each who asks
 * (LargeAnswers.ts).
 */
export const LargeAnswer = Context.Reference<boolean>("vrss/http/LargeAnswer", { defaultValue: () => false })

/**
 * Annotates an endpoint with an act whose answer is compressed as those by GET are (Compression.ts): it has no token, code or other
 * secret.
 */
export const CompressedAnswer = Context.Reference<boolean>("vrss/http/CompressedAnswer", {
  defaultValue: () => false
})

/** The bytes of a request's body have been read whole under the endpoint's limit. */
export class RequestBytes extends Context.Service<RequestBytes, Uint8Array>()("vrss/http/RequestBytes") {}

/** Reads the body, so that its size, media type, encoding and JSON syntax are settled before the schema sees it. */
export class RequestBody extends HttpApiMiddleware.Service<RequestBody, { provides: RequestBytes }>()(
  "vrss/http/RequestBody",
  { error: [InvalidJson, InvalidRequest, PayloadTooLarge, RequestTimeout, UnsupportedMediaType] }
) {}

/**
 * Refuses every parameter on a route that takes none, once the credential is known to be good. Where a route has a schema
 * of its query, `HttpApi.QueryParseOptions` does the same.
 */
export class RequestQuery extends HttpApiMiddleware.Service<RequestQuery>()("vrss/http/RequestQuery", {
  error: InvalidRequest
}) {}

/** Syncs of one veteran come one after the other, before their bodies are read. */
export class SyncTurn
  extends HttpApiMiddleware.Service<SyncTurn, { requires: CurrentVeteran }>()("vrss/http/SyncTurn", {
    error: [RateLimited, ServiceUnavailable]
  })
{}

/** Annotates an endpoint with how often one subject may call it. */
export const RateLimit = Context.Reference<Limit>("vrss/http/RateLimit", {
  defaultValue: () => ({ permits: 600, seconds: 60, leased: true })
})

/** Limits calls by client address before anything else is done. Signed-in routes are limited by who is signed in. */
export class AddressRateLimit extends HttpApiMiddleware.Service<AddressRateLimit>()("vrss/http/AddressRateLimit", {
  error: RateLimited
}) {}

/** What does not decode becomes `invalid_json` or `invalid_request`. */
export class SchemaErrors extends HttpApiMiddleware.Service<SchemaErrors>()("vrss/http/SchemaErrors", {
  error: [InvalidJson, InvalidRequest]
}) {}
