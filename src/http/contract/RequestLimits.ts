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
  /** The maximum size of a body after decompression, without the member that `besides` names. */
  readonly bytes: number
  readonly encodings: ReadonlyArray<string>
  /** The text at the path `member` of the JSON body may take `bytes` in addition. */
  readonly besides?: { readonly member: ReadonlyArray<string>; readonly bytes: number }
}

/** Annotates an endpoint with the largest body and the content encodings that it takes. */
export const BodyLimit = Context.Reference<BodyLimit>("vrss/http/BodyLimit", {
  defaultValue: () => ({ bytes: 64 * 1024, encodings: [] })
})

export const smallBody = { bytes: 4 * 1024, encodings: [] }

/** The limit for forms that apps and the authorization server's pages send. */
export const smallForm = { bytes: 8 * 1024, encodings: [] }

/** Annotates an endpoint whose answers may take megabytes of memory. Few are made at a time (Answers.ts). */
export const LargeAnswer = Context.Reference<boolean>("vrss/http/LargeAnswer", { defaultValue: () => false })

/** Annotates an endpoint whose answer has no secret and is compressed. A GET needs no annotation (Compression.ts). */
export const CompressedAnswer = Context.Reference<boolean>("vrss/http/CompressedAnswer", {
  defaultValue: () => false
})

/** The whole body of the request, within the endpoint's limit. */
export class RequestBytes extends Context.Service<RequestBytes, Uint8Array>()("vrss/http/RequestBytes") {}

/**
 * Refuses what `RequestQuery` refuses, on all routes but those whose `HttpApi.QueryParseOptions` ignores unknown
 * parameters. Then reads the body, and checks its size, media type, encoding and JSON syntax before the schema. A
 * person's requests for lists wait for their turns (ListTurns.ts).
 */
export class QueryAndBody extends HttpApiMiddleware.Service<QueryAndBody, { provides: RequestBytes }>()(
  "vrss/http/QueryAndBody",
  { error: [InvalidJson, InvalidRequest, PayloadTooLarge, RateLimited, RequestTimeout, UnsupportedMediaType] }
) {}

/**
 * Refuses every query parameter on a route that takes none, after the credential is checked. On a route with a query
 * schema, `HttpApi.QueryParseOptions` decides about unknown parameters. It is for routes that do not read a body, or
 * read it later.
 */
export class RequestQuery extends HttpApiMiddleware.Service<RequestQuery>()("vrss/http/RequestQuery", {
  error: InvalidRequest
}) {}

/** Runs one sync of a veteran at a time; the others wait before their bodies are read. */
export class SyncTurn
  extends HttpApiMiddleware.Service<SyncTurn, { requires: CurrentVeteran }>()("vrss/http/SyncTurn", {
    error: [RateLimited, ServiceUnavailable]
  })
{}

/** Annotates an endpoint with its rate limit. Each user or client address is counted separately. */
export const RateLimit = Context.Reference<Limit>("vrss/http/RateLimit", {
  defaultValue: () => ({ permits: 600, seconds: 60, leased: true })
})

/** The specification's limit of sign-ins for each client address. */
export const loginLimit = { permits: 30, seconds: 15 * 60 }

/** Annotates an endpoint that spends the permits of another endpoint, with the other's template. */
export const LimitShared = Context.Reference<string | undefined>("vrss/http/LimitShared", {
  defaultValue: () => undefined
})

/** Limits calls by address, before a credential or the body is read. Routes with a token limit its subject instead. */
export class AddressRateLimit extends HttpApiMiddleware.Service<AddressRateLimit>()("vrss/http/AddressRateLimit", {
  error: RateLimited
}) {}

/** Answers `invalid_json` or `invalid_request` for a request that does not decode. */
export class SchemaErrors extends HttpApiMiddleware.Service<SchemaErrors>()("vrss/http/SchemaErrors", {
  error: [InvalidJson, InvalidRequest]
}) {}
