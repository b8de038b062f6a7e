import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Document, DocumentNeeded, DocumentPage, StorageFull } from "../../domain/Document.ts"
import {
  Conflict,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  RequestTimeout,
  SealBroken,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/Errors.ts"
import { SentDocumentId, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { Availability, SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { BundleBytes, CcdaBytes, FileBytes, FilePart } from "../contract/FileBytes.ts"
import { described, told } from "../contract/GuardedBy.ts"
import { QueryAndBody, RateLimit, RequestQuery } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

const oneParams = { ...params, documentId: SentDocumentId }

export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: DocumentPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the documents")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.get("get", "/:documentId", { params: oneParams, success: Document, error: NotFound })
      .annotate(OpenApi.Summary, "Read a document's metadata")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.get("content", "/:documentId/content", {
      params: oneParams,
      success: FileBytes,
      error: [NotFound, SealBroken, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Download a document")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.get("record", "/:documentId/record", {
      params: oneParams,
      success: BundleBytes,
      error: [NotFound, SealBroken, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Download the record that a release carries")
      .annotate(SessionInStatement, true)
      .annotate(OpenApi.Description, "The attachment `record.fhir.json` of a release. An upload has none."),
    HttpApiEndpoint.get("ccda", "/:documentId/ccda", {
      params: oneParams,
      success: CcdaBytes,
      error: [Conflict, NotFound, SealBroken, StorageFull, ServiceUnavailable]
    })
      .annotateMerge(told(
        "Download a release's record as C-CDA",
        "A Continuity of Care Document (C-CDA R2.1) of `record.fhir.json`. It is a translation: the FHIR bundle is exact. " +
          "One at a time: a second at once waits, a third is 429."
      ))
      .annotate(RateLimit, { permits: 60, seconds: 3600 }),
    HttpApiEndpoint.delete("remove", "/:documentId", {
      params: oneParams,
      success: HttpApiSchema.NoContent.annotate({ description: "Deleted" }),
      error: [NotFound, DocumentNeeded]
    })
      .annotate(OpenApi.Summary, "Delete a document")
  )
  .middleware(QueryAndBody)
  // This endpoint is added after QueryAndBody and so does not use it: its body is received as a stream (Upload.ts).
  .add(
    HttpApiEndpoint.post("upload", "/", {
      params,
      payload: Schema.Struct({ file: FilePart }).pipe(HttpApiSchema.asMultipartStream()),
      success: Document.pipe(HttpApiSchema.status(201)),
      error: [
        Conflict,
        InvalidRequest,
        RequestTimeout,
        PayloadTooLarge,
        UnsupportedMediaType,
        StorageFull,
        ServiceUnavailable
      ]
    })
      .annotateMerge(told(
        "Upload a document",
        "One file of at most 25 MiB: PDF, PNG, JPEG, TIFF, plain text, HTML or XML, recognised by content."
      ))
      .annotate(RateLimit, { permits: 60, seconds: 3600 })
  )
  .prefix("/api/veteran/:veteranId/documents")
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
  .annotateMerge(described("Documents", "Uploads and signed releases, encrypted at rest."))
{}
