import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Forbidden, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { NotAcceptable, TooCostly, TypeNotSupported } from "../../domain/FhirError.ts"
import { Parameters } from "../../domain/OperationParameters.ts"
import { AnyOrigin, AppAuthorization, Availability } from "../contract/Authorization.ts"
import { BundleBytes } from "../contract/FileBytes.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, CompressedAnswer, LargeAnswer } from "../contract/RequestLimits.ts"

const base = "/api/fhir/R4"

const json = (description: string) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/fhir+json" })).annotate({ description })

/** A repeated parameter means AND, and commas within one mean OR. */
const parameter = (description: string) =>
  Schema.optional(Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ description }))

/** Declared as a list, so that the service, and not the schema, decides what to answer to a repeated parameter. */
const once = (description: string) => Schema.optional(Schema.Array(Schema.String).annotate({ description }))

const format = { _format: once("`json`, instead of `accept`") }

const listed = { ...format, _cursor: once("From the link `next` of the previous page") }

const searched = {
  ...listed,
  _id: parameter("Ids, with commas between"),
  _lastUpdated: parameter("When this service stored the current text: `eq`, `gt`, `ge`, `lt`, `le`, `sa`, `eb`"),
  _count: once("0 to 1,000, by default 100; 0 asks for the total only"),
  _sort: once("`date` or `_lastUpdated`, or either with `-` before it, newest first; `date` for types that have one"),
  _include: parameter("`MedicationRequest:medication` adds the medications of prescriptions"),
  _revinclude: parameter("`Provenance:target` adds the Provenance of what was found"),
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
  _since: once("Only resources that this service stored since then"),
  _count: once("1 to 1,000, by default 1,000")
}

const refusals = [Forbidden, InvalidRequest, NotAcceptable] as const

/** The body of an operation: a form, or Parameters as either name of JSON. */
const operationBody = [
  Schema.Struct(everything).pipe(HttpApiSchema.asFormUrlEncoded()),
  Parameters.pipe(HttpApiSchema.asJson({ contentType: "application/fhir+json" })),
  Parameters
]

const ofEverything = { success: BundleBytes, error: [...refusals, NotFound] } as const

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
      .annotate(OpenApi.Summary, "Read the description of this service for app galleries")
  )
  .prefix(base)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotate(AnyOrigin, true)
  // A FHIR server ignores parameters that it does not know.
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
  .annotateMerge(described("FHIR metadata", "What an app can learn about the FHIR API without a token."))
{}

export class FhirApi extends HttpApiGroup.make("fhir")
  .add(
    HttpApiEndpoint.get("search", "/:resourceType", {
      params: { resourceType: Schema.String },
      query: searched,
      success: BundleBytes,
      error: [...refusals, TooCostly, TypeNotSupported]
    })
      .annotateMerge(told(
        "Search resources of a type",
        "Each type has its own parameters: see the CapabilityStatement. Unknown ones are ignored, unless `prefer: handling=strict` is sent."
      )),
    HttpApiEndpoint.post("searchForm", "/:resourceType/_search", {
      params: { resourceType: Schema.String },
      payload: Schema.Struct(searched).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: BundleBytes,
      error: [...refusals, TooCostly, TypeNotSupported]
    })
      .annotate(OpenApi.Summary, "Search resources of a type by a form")
      .annotate(BodyLimit, { bytes: 16 * 1024, encodings: [] })
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
    HttpApiEndpoint.get("compartment", "/Patient/:id/:resourceType", {
      params: { id: Schema.String, resourceType: Schema.String },
      query: searched,
      success: BundleBytes,
      error: [...refusals, NotFound, TooCostly, TypeNotSupported]
    })
      .annotate(OpenApi.Summary, "Search the patient's resources of a type")
      .annotate(OpenApi.Description, "The same as a search of the type with `patient`."),
    HttpApiEndpoint.get("everything", "/Patient/:id/$everything", {
      params: { id: Schema.String },
      query: everything,
      ...ofEverything
    })
      .annotate(OpenApi.Summary, "Read everything that the token's scopes allow, ordered by type and id")
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.post("everythingByBody", "/Patient/:id/$everything", {
      params: { id: Schema.String },
      payload: operationBody,
      ...ofEverything
    })
      .annotate(OpenApi.Summary, "Read everything, with the parameters in a form or in Parameters")
      .annotate(BodyLimit, { bytes: 16 * 1024, encodings: [] })
      .annotate(LargeAnswer, true)
      .annotate(CompressedAnswer, true)
  )
  .prefix(base)
  .annotateEndpoints(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
  .pipe(guardedBy(AppAuthorization))
  .annotate(AnyOrigin, true)
  .annotateMerge(
    described("FHIR", "FHIR R4, read-only, for apps that a veteran connected. Errors are OperationOutcomes.")
  )
{}
