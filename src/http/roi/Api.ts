import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import {
  Conflict,
  InvalidJson,
  InvalidRequest,
  NotFound,
  ServiceUnavailable,
  Unauthenticated
} from "../../services/ApiError.ts"
import { AuthorizationRequest } from "../../services/AuthorizationRules.ts"
import { Document } from "../../services/Documents.ts"
import { StorageFull } from "../../services/FileStore.ts"
import { Id, VeteranIdOrMe } from "../../services/Ids.ts"
import { RoiReadiness, SignedRelease } from "../../services/ReleaseOfInformation.ts"
import { SigningNotConfigured } from "../../services/SigningIdentity.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { BodyLimit, RequestBody } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class RoiApi extends HttpApiGroup.make("roi")
  .add(
    HttpApiEndpoint.get("readiness", "/readiness", { params, success: RoiReadiness, error: Unauthenticated }),
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
    }).annotate(BodyLimit, { bytes: 267 * 1024 + 64 * 1024, encodings: [] }),
    HttpApiEndpoint.post("revoke", "/:documentId/revoke", {
      params: { ...params, documentId: Id },
      success: Document,
      error: [NotFound, Conflict]
    })
  )
  .prefix("/api/veteran/:veteranId/roi")
  .middleware(RequestBody)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
