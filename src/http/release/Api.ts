import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Document, StorageFull } from "../../domain/Document.ts"
import {
  Conflict,
  InvalidJson,
  InvalidRequest,
  NotFound,
  ServiceUnavailable,
  Unauthenticated
} from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { AuthorizationRequest, RoiReadiness, SignedRelease, SigningNotConfigured } from "../../domain/Release.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { BodyLimit, RequestBody } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class RoiApi extends HttpApiGroup.make("roi")
  .add(
    HttpApiEndpoint.get("readiness", "/readiness", { params, success: RoiReadiness, error: Unauthenticated })
      .annotate(OpenApi.Summary, "Tell which incomplete types a signer is asked about"),
    HttpApiEndpoint.post("sign", "/", {
      params,
      payload: AuthorizationRequest,
      success: SignedRelease.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidJson,
        InvalidRequest,
        Conflict,
        Unauthenticated,
        StorageFull,
        ServiceUnavailable,
        SigningNotConfigured
      ]
      // A drawn signature of 200 kB in base64, and as much JSON as any other route takes.
    })
      .annotate(OpenApi.Summary, "Sign a release of information")
      .annotate(BodyLimit, { bytes: 267 * 1024 + 64 * 1024, encodings: [] }),
    HttpApiEndpoint.post("revoke", "/:documentId/revoke", {
      params: { ...params, documentId: Id },
      success: Document,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Revoke a release")
  )
  .prefix("/api/veteran/:veteranId/roi")
  .middleware(RequestBody)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
  .annotate(OpenApi.Title, "Releases of information")
  .annotate(OpenApi.Description, "Signed authorizations, as PDF documents.")
{}
