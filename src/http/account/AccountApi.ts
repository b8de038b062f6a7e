import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import { EmailChallenge, EmailCode, NewEmail } from "../../domain/EmailChange.ts"
import { Conflict } from "../../domain/Errors.ts"
import { VeteranIdOrMe } from "../../domain/Id.ts"
import { Notices, SentNotices } from "../../domain/Notices.ts"
import { OtpInvalid } from "../../domain/SecureLink.ts"
import { Veteran } from "../../domain/Veteran.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { BodyLimit, smallBody } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

/** The veteran's address, and about what they want mails (contract, part 14.3). */
export class VeteranAccountApi extends HttpApiGroup.make("veteranAccount")
  .add(
    HttpApiEndpoint.post("askEmail", "/email", {
      params,
      payload: NewEmail,
      success: EmailChallenge.pipe(HttpApiSchema.status(202)),
      error: [ConfirmationRequired, Conflict]
    })
      .annotate(OpenApi.Summary, "Ask for a code to a new e-mail address")
      .annotate(OpenApi.Description, "From a confirmed session, 5 times a day. A new code ends the older one.")
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.post("verifyEmail", "/email/verify", {
      params,
      payload: EmailCode,
      success: Veteran,
      error: OtpInvalid
    })
      .annotateMerge(told("Change the e-mail address by the code", "Both addresses are told."))
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.get("notices", "/notices", { params, success: Notices })
      .annotate(OpenApi.Summary, "Read about what the veteran wants mails")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.put("setNotices", "/notices", { params, payload: SentNotices, success: Notices })
      .annotate(OpenApi.Summary, "Set about what the veteran wants mails")
      .annotate(OpenApi.Description, "Replaces all. Mails about the security of the account cannot be switched off.")
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/veteran/:veteranId")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Veteran's account", "Where the service mails to, and about what."))
{}
