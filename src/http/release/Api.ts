import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
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
import { AuthorizationRequest, ReleaseReadiness, SignedRelease, SigningNotConfigured } from "../../domain/Release.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { BodyLimit, RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class RoiApi extends HttpApiGroup.make("roi")
  .add(
    HttpApiEndpoint.get("readiness", "/readiness", { params, success: ReleaseReadiness, error: Unauthenticated }),
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
    }).annotate(BodyLimit, {
      bytes: 64 * 1024,
      encodings: [],
      // A drawn signature of 200 kB in base64 comes on top of the JSON that any other route takes.
      besides: { member: ["signature", "drawnPng"], bytes: 267 * 1024 }
    }),
    HttpApiEndpoint.post("revoke", "/:documentId/revoke", {
      params: { ...params, documentId: Id },
      success: Document,
      error: [NotFound, Conflict]
    })
  )
  .prefix("/api/veteran/:veteranId/roi")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
