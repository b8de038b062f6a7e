import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Document, DocumentNeeded, DocumentPage, StorageFull } from "../../domain/Document.ts"
import {
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  SealBroken,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { FileBytes } from "../FileBytes.ts"
import { RateLimit, RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

const oneParams = { ...params, documentId: Id }

export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: DocumentPage, error: InvalidRequest }),
    HttpApiEndpoint.get("get", "/:documentId", { params: oneParams, success: Document, error: NotFound }),
    HttpApiEndpoint.get("content", "/:documentId/content", {
      params: oneParams,
      success: FileBytes,
      error: [NotFound, SealBroken, ServiceUnavailable]
    }),
    HttpApiEndpoint.delete("remove", "/:documentId", {
      params: oneParams,
      success: HttpApiSchema.NoContent,
      error: [NotFound, DocumentNeeded]
    })
  )
  .middleware(RequestBody)
  // Its body is received as a stream (Upload.ts).
  .add(
    HttpApiEndpoint.post("upload", "/", {
      params,
      payload: Schema.Struct({ file: Schema.Uint8Array }).pipe(HttpApiSchema.asMultipartStream()),
      success: Document.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, StorageFull, ServiceUnavailable]
    }).annotate(RateLimit, { permits: 60, seconds: 3600 })
  )
  .prefix("/api/veteran/:veteranId/documents")
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
