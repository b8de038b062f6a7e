import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired, Confirmed } from "../../domain/Confirmation.ts"
import {
  DeviceProof,
  DeviceSessionList,
  FreshIdToken,
  InvalidChallenge,
  InvalidDeviceProof,
  InvalidIdToken,
  VeteranIdentity,
  VeteranIdentityList
} from "../../domain/DeviceSession.ts"
import { Conflict, Forbidden, NotFound, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { InvalidPasskey, PasskeyAnswer } from "../../domain/Passkey.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { BodyLimit, RateLimit } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

const ended = HttpApiSchema.NoContent.annotate({ description: "Ended" })

const idTokenBody = { bytes: 16 * 1024, encodings: [] }

/** The veteran's sessions on devices, and the sign-in accounts of the VA (contract, part 14.3). */
export class DeviceSessionsApi extends HttpApiGroup.make("deviceSessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", { params, success: DeviceSessionList })
      .annotate(OpenApi.Summary, "List where the veteran is signed in")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("endCurrent", "/sessions/current/end", { params, success: ended })
      .annotate(OpenApi.Summary, "Sign out"),
    HttpApiEndpoint.post("endAll", "/sessions/end-all", { params, success: ended })
      .annotateMerge(told("Sign out everywhere", "Ends this session too, and every token of the session exchange.")),
    HttpApiEndpoint.post("end", "/sessions/:sessionId/end", {
      params: { ...params, sessionId: Id },
      success: ended,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Sign out on one device"),
    HttpApiEndpoint.post("confirm", "/sessions/current/confirm", {
      params,
      headers: DeviceProof,
      payload: Schema.Union([FreshIdToken, PasskeyAnswer]),
      success: Confirmed,
      error: [
        Forbidden,
        InvalidChallenge,
        InvalidDeviceProof,
        InvalidIdToken,
        InvalidPasskey,
        ServiceUnavailable,
        Unauthenticated
      ]
    })
      .annotateMerge(told("Confirm that it is you", "By a new sign-in at the VA, or by a passkey."))
      .annotate(BodyLimit, idTokenBody)
      .annotate(RateLimit, { permits: 20, seconds: 3_600 }),
    HttpApiEndpoint.get("identities", "/identities", { params, success: VeteranIdentityList })
      .annotate(OpenApi.Summary, "List the VA's accounts that open this record")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("addIdentity", "/identities", {
      params,
      headers: DeviceProof,
      payload: FreshIdToken,
      success: VeteranIdentity.pipe(HttpApiSchema.status(201)),
      error: [
        ConfirmationRequired,
        Conflict,
        InvalidChallenge,
        InvalidDeviceProof,
        InvalidIdToken,
        RateLimited,
        ServiceUnavailable,
        Unauthenticated
      ]
    })
      .annotate(OpenApi.Summary, "Add another account of the VA")
      .annotate(BodyLimit, idTokenBody)
      .annotate(RateLimit, { permits: 20, seconds: 3_600 }),
    HttpApiEndpoint.post("removeIdentity", "/identities/:identityId/remove", {
      params: { ...params, identityId: Id },
      success: ended,
      error: [ConfirmationRequired, Conflict, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove an account of the VA")
      .annotate(OpenApi.Description, "Ends all sessions, this one too. The last account cannot be removed.")
  )
  .prefix("/api/veteran/:veteranId")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Veteran's sessions", "Where the veteran is signed in, and by which accounts of the VA."))
{}
