import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { AnsweredId } from "./Id.ts"
import { perDay } from "./RateLimit.ts"
import { Count, Instant } from "./Scalars.ts"

/** Limits of one-time codes and of views, as seconds, bytes or counts. SQL gets them as parameters. */
export const linkLimits = {
  codeSeconds: 600,
  resendSeconds: 30,
  codesPerHour: 5,
  /** Maximum number of codes that are mailed to one address in an hour, over all links to this address. */
  codesPerAddress: 20,
  triesPerCode: 5,
  /** After this number of wrong codes in total, the link is disabled. */
  wrongCodesPerLink: 15,
  viewSessionSeconds: 300,
  /** For this number of seconds after a transfer broke, it may be resumed. */
  resumeSeconds: 60,
  /** Maximum number of bytes that a resumed transfer may repeat, because buffers on the way may have lost them. */
  resumeBytes: 4_194_304,
  /** Maximum number of characters of a SMART Health Link's encrypted bundle. */
  sharedBundle: 16_777_216,
  /** Maximum number of such bundles that are kept for one veteran. */
  sharedBundles: 100,
  /** Maximum number of characters of an app's name for its user that are kept. */
  claimedRecipient: 200
} as const

/** Links that a veteran makes, those that are revoked again too. */
export const linksMade = perDay(300)

/** Addresses to which a veteran makes a link for the first time. */
export const newRecipients = perDay(20)

/** Invitations by mail: to one address by one veteran or by all, and by one veteran to all addresses. */
export const invitations = { byVeteran: perDay(10), byAll: perDay(50), toAll: perDay(100) }

export class LinkNotFound extends ApiError<LinkNotFound>()("LinkNotFound", {
  code: "link_not_found",
  status: 404,
  message: "There is no such link. Check that the address was copied whole."
}) {}

export class LinkDisabled extends ApiError<LinkDisabled>()("LinkDisabled", {
  code: "link_disabled",
  status: 410,
  message: "This link was disabled. Ask the veteran for a new one."
}) {}

export class LinkExpired extends ApiError<LinkExpired>()("LinkExpired", {
  code: "link_expired",
  status: 410,
  message: "This link has expired. Ask the veteran for a new one."
}) {}

export const OpenedLink = Schema.Struct({
  status: Schema.Literal("active"),
  /** The masked e-mail address to which codes are sent: `j•••@example.org`. */
  recipientHint: Schema.String,
  expiresAt: Instant
}).annotate({ identifier: "OpenedSecureLink" })

export class OtpInvalid extends ApiError<OtpInvalid>()("OtpInvalid", {
  code: "otp_invalid",
  status: 401,
  message: "The code is wrong, used or expired.",
  fields: { attemptsLeft: Count }
}) {}

export const Challenge = Schema.Struct({
  challengeId: AnsweredId,
  expiresIn: Schema.Literal(linkLimits.codeSeconds),
  resendAfter: Schema.Literal(linkLimits.resendSeconds)
}).annotate({ identifier: "Challenge" })

export const ViewAccess = Schema.Struct({
  viewSession: Schema.String,
  expiresIn: Schema.Literal(linkLimits.viewSessionSeconds)
}).annotate({ identifier: "ViewAccess" })

/** The link of a view session is still active, so its document may stay on the screen. */
export const ViewStatus = Schema.Struct({ status: Schema.Literal("active") }).annotate({ identifier: "ViewStatus" })

export class ViewSessionUsed extends ApiError<ViewSessionUsed>()("ViewSessionUsed", {
  code: "view_session_used",
  status: 410,
  message: "The document was sent under this view session already. Ask for a new code to see it again."
}) {}

export class ViewSessionExpired extends ApiError<ViewSessionExpired>()("ViewSessionExpired", {
  code: "view_session_expired",
  status: 410,
  message: "This view session is over. Ask for a new code."
}) {}
