import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Forbidden, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { NotAcceptable, TypeNotSupported } from "../../domain/FhirError.ts"
import { AnyOrigin, AppAuthorization, Availability } from "../contract/Authorization.ts"
import { BundleBytes } from "../contract/FileBytes.ts"
import { AddressRateLimit, BodyLimit, CompressedAnswer, LargeAnswer, RequestBody } from "../contract/RequestLimits.ts"

const base = "/api/fhir/R4"

const json = (description: string) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/fhir+json" })).annotate({ description })

/** It may be repeated, which means that each is to hold; commas within one mean that any is to. */
const parameter = (description: string) =>
  Schema.optional(Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ description }))

/** Sent once: the service says itself that it came twice. */
const once = (description: string) => Schema.optional(Schema.Array(Schema.String).annotate({ description }))

const format = { _format: once("`json`, instead of `accept`") }

const listed = { ...format, _cursor: once("Of the link `next` of the page before") }

const searched = {
  ...listed,
  _id: parameter("Ids, with commas between"),
  _lastUpdated: parameter("When this service stored the present text: `eq`, `gt`, `ge`, `lt`, `le`, `sa`, `eb`"),
  _count: once("0 to 1,000, otherwise 100; 0 asks for the total alone"),
  patient: parameter("The token's patient: `id`, `Patient/id`, or its URL"),
  subject: parameter("The same as `patient`"),
  category: parameter("`[system|]code`"),
  code: parameter("`[system|]code`"),
  date: parameter("A date of any precision, with a prefix or none"),
  status: parameter("`[system|]code`")
}

const everything = {
  ...listed,
  _type: parameter("Resource types, with commas between"),
  _since: once("Only what this service stored since then"),
  _count: once("1 to 1,000, otherwise 1,000")
}

const refusals = [Forbidden, InvalidRequest, NotAcceptable] as const

/** Both are the same for everybody, and need no token. */
export class FhirMetadataApi extends HttpApiGroup.make("fhirMetadata")
  .add(
    HttpApiEndpoint.get("metadata", "/metadata", {
      query: format,
      success: json("A FHIR R4 CapabilityStatement"),
      error: NotAcceptable
    })
      .annotate(OpenApi.Summary, "Read what the FHIR API can do"),
    HttpApiEndpoint.get("brands", "/brands", {
      query: format,
      success: json("A Bundle of an Organization and its Endpoint"),
      error: NotAcceptable
    })
      .annotate(OpenApi.Summary, "Read what a gallery of apps shows of this service")
  )
  .prefix(base)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotate(AnyOrigin, true)
  // FHIR has parameters that a server ignores.
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
  .annotate(OpenApi.Title, "FHIR metadata")
  .annotate(OpenApi.Description, "What an app learns of the FHIR API before it has a token.")
{}

export class FhirApi extends HttpApiGroup.make("fhir")
  .add(
    HttpApiEndpoint.get("search", "/:resourceType", {
      params: { resourceType: Schema.String },
      query: searched,
      success: BundleBytes,
      error: [...refusals, TypeNotSupported]
    })
      .annotate(OpenApi.Summary, "Search resources of a type")
      .annotate(
        OpenApi.Description,
        "Each type has parameters of its own: see the CapabilityStatement. What is not known is ignored, unless `prefer: handling=strict` is sent."
      )
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.post("searchForm", "/:resourceType/_search", {
      params: { resourceType: Schema.String },
      payload: Schema.Struct(searched).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: BundleBytes,
      error: [...refusals, TypeNotSupported]
    })
      .annotate(OpenApi.Summary, "Search resources of a type by a form")
      .annotate(BodyLimit, { bytes: 16 * 1024, encodings: [] })
      .annotate(LargeAnswer, true)
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.get("read", "/:resourceType/:id", {
      params: { resourceType: Schema.String, id: Schema.String },
      query: format,
      success: [
        json("The resource, as the exact text that was synchronised"),
        HttpApiSchema.Empty(304).annotate({ description: "The client has it already, as `if-none-match` says" })
      ],
      error: [...refusals, NotFound, TypeNotSupported]
    })
      .annotate(OpenApi.Summary, "Read a resource"),
    HttpApiEndpoint.get("everything", "/Patient/:id/$everything", {
      params: { id: Schema.String },
      query: everything,
      success: BundleBytes,
      error: [...refusals, NotFound]
    })
      .annotate(OpenApi.Summary, "Read everything of the token's scopes, ordered by type and id")
      .annotate(LargeAnswer, true),
    // Some clients encode the dollar sign, which the router takes for the same in a parameter alone.
    HttpApiEndpoint.get("operation", "/Patient/:id/:operation", {
      params: { id: Schema.String, operation: Schema.String },
      query: everything,
      success: BundleBytes,
      error: [...refusals, NotFound]
    })
      .annotate(OpenApi.Exclude, true)
      .annotate(LargeAnswer, true)
  )
  .prefix(base)
  .middleware(RequestBody)
  .middleware(AppAuthorization)
  .middleware(Availability)
  .annotate(AnyOrigin, true)
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
  .annotate(OpenApi.Title, "FHIR")
  .annotate(OpenApi.Description, "FHIR R4, read-only, for apps that a veteran connected. Errors are OperationOutcomes.")
{}
