import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import { InvalidChallenge } from "../../domain/DeviceSession.ts"
import { Conflict, NotFound } from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import {
  InvalidPasskey,
  NewPasskey,
  Passkey,
  PasskeyChallenge,
  PasskeyList,
  passkeysAdded
} from "../../domain/Passkey.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { NoMembers } from "../../domain/Scalars.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"

const params = { veteranId: VeteranIdOrMe }

/** The passkeys by which the veteran comes back without the VA (contract, part 14.3). */
export class PasskeysApi extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.get("list", "/passkeys", { params, success: PasskeyList })
      .annotate(OpenApi.Summary, "List the veteran's passkeys")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("challenge", "/passkeys/challenge", { params, payload: NoMembers, success: PasskeyChallenge })
      .annotate(OpenApi.Summary, "Begin a new passkey"),
    HttpApiEndpoint.post("add", "/passkeys", {
      params,
      payload: NewPasskey,
      success: Passkey.pipe(HttpApiSchema.status(201)),
      error: [ConfirmationRequired, Conflict, InvalidChallenge, InvalidPasskey, RateLimited]
    })
      .annotateMerge(told(
        "Add a passkey",
        `Wants a confirmed session. The veteran is told by mail. At most ${passkeysAdded.permits} in a day.`
      )),
    HttpApiEndpoint.post("remove", "/passkeys/:passkeyId/remove", {
      params: { ...params, passkeyId: Id },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed" }),
      error: NotFound
    })
      .annotateMerge(told("Remove a passkey", "Sessions that it began stay. The veteran is told by mail."))
  )
  .prefix("/api/veteran/:veteranId")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Veteran's passkeys", "By which a veteran comes back with a face or a fingerprint."))
{}
