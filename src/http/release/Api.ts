import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import { DeletionPending } from "../../domain/Deletion.ts"
import { Document, StorageFull } from "../../domain/Document.ts"
import {
  Conflict,
  InvalidJson,
  InvalidRequest,
  NotFound,
  SealBroken,
  ServiceUnavailable,
  Unauthenticated
} from "../../domain/Errors.ts"
import { SentDocumentId, VeteranIdOrMe } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import {
  AuthorizationRequest,
  PreviewRequest,
  ReleaseReadiness,
  SignedRelease,
  SigningNotConfigured
} from "../../domain/Release.ts"
import { VeteranAuthorization } from "../contract/Authorization.ts"
import { PdfBytes } from "../contract/FileBytes.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { BodyLimit, CompressedAnswer, RateLimit } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

const authorizationBody = {
  bytes: 64 * 1024,
  encodings: [],
  // In addition to the usual limit for JSON, there is room for a drawn signature of 200 kB in base64.
  besides: { member: ["signature", "drawnPng"], bytes: 267 * 1024 }
}

export class RoiApi extends HttpApiGroup.make("roi")
  .add(
    HttpApiEndpoint.get("readiness", "/readiness", { params, success: ReleaseReadiness, error: Unauthenticated })
      .annotate(OpenApi.Summary, "Read which incomplete types a signer must confirm"),
    HttpApiEndpoint.post("sign", "/", {
      params,
      payload: AuthorizationRequest,
      success: SignedRelease.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidJson,
        InvalidRequest,
        ConfirmationRequired,
        Conflict,
        DeletionPending,
        RateLimited,
        Unauthenticated,
        SealBroken,
        StorageFull,
        ServiceUnavailable,
        SigningNotConfigured
      ]
    })
      .annotateMerge(told(
        "Sign a release of information",
        "It contains the current record: at most 20,000 items and 64 MiB, or 100 MiB with the documents that it names."
      ))
      .annotate(BodyLimit, authorizationBody)
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.post("preview", "/preview", {
      params,
      payload: PreviewRequest,
      success: PdfBytes,
      error: [
        InvalidJson,
        InvalidRequest,
        Conflict,
        RateLimited,
        Unauthenticated,
        SealBroken,
        StorageFull,
        ServiceUnavailable
      ]
    })
      .annotateMerge(told(
        "Show a release before it is signed",
        "The pages that the recipient would see, marked as not signed and without attachments. Nothing is stored."
      ))
      .annotate(RateLimit, { permits: 10, seconds: 900 })
      .annotate(BodyLimit, authorizationBody),
    HttpApiEndpoint.post("revoke", "/:documentId/revoke", {
      params: { ...params, documentId: SentDocumentId },
      success: Document,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Revoke a release")
  )
  .prefix("/api/veteran/:veteranId/roi")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Releases of information", "Signed authorizations, as PDF documents."))
{}
