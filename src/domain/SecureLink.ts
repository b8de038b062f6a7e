import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { AnsweredId, DocumentId, LinkId, SentDocumentId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { AnsweredEmail, Count, EmailAddress, Instant, Text } from "./Scalars.ts"

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

/** Maximum number of invitations mailed to one address in a day: by one veteran, and by all veterans together. */
export const invitationLimits = { byVeteran: 10, byAll: 50 } as const

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

export const NewLink = Schema.Struct({
  documentId: SentDocumentId,
  recipientName: Text(200),
  recipientEmail: EmailAddress,
  expiresInHours: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 720 }))),
  /** Whether the service mails the link to the recipient as soon as it is created. */
  notifyRecipient: Schema.optional(Schema.Boolean),
  /** Whether health apps can open the link too (HL7 SMART Health Links, with the mailed code as passcode). */
  smartHealthLink: Schema.optional(Schema.Boolean)
}).annotate({ identifier: "NewSecureLink" })

export type NewLink = typeof NewLink.Type

/** A link as its veteran sees it, with its history. */
export const SecureLink = Schema.Struct({
  id: LinkId,
  documentId: Schema.NullOr(DocumentId).annotate({ description: "Null: the document was deleted since" }),
  recipientName: Schema.String,
  recipientEmail: AnsweredEmail,
  status: Schema.Literals(["active", "disabled", "expired"]),
  createdAt: Instant,
  expiresAt: Instant,
  disabledAt: Schema.NullOr(Instant),
  notifiedAt: Schema.NullOr(Instant),
  openedAt: Schema.NullOr(Instant),
  codeSentAt: Schema.NullOr(Instant),
  viewedAt: Schema.NullOr(Instant),
  smartHealthLink: Schema.Boolean.annotate({ description: "Whether health apps can open the link too" }),
  viewedVia: Schema.NullOr(Schema.Literals(["page", "app"])).annotate({
    description: "How it was viewed first: on the link's page or in a health app"
  }),
  claimedRecipient: Schema.NullOr(Schema.String).annotate({
    description: "Who uses the app that viewed it last, as the app says; nobody checked it"
  })
}).annotate({ identifier: "SecureLink" })

export type SecureLink = typeof SecureLink.Type

export const SecureLinkPage = PageOf(SecureLink)

export const CreatedLink = Schema.Struct({
  link: SecureLink,
  url: Schema.String.annotate({ format: "uri", description: "Holds the token, which is told here and never again" }),
  shlink: Schema.optionalKey(Schema.String).annotate({
    description: "The SMART Health Link without the page's address, told here and never again"
  }),
  /** The URL as a QR code, SVG (ISO/IEC 18004, error correction M). */
  qrSvg: Schema.String.annotate({ description: "The URL as a QR code, SVG" }),
  /** `recipient_differs` if the release names another e-mail address. A warning does not prevent the link. */
  warnings: Schema.Array(Schema.Struct({ code: Schema.Literal("recipient_differs"), message: Schema.String }))
}).annotate({ identifier: "CreatedSecureLink" })

/** When the veteran has the service mail a code, for a reader that asks for it before it asks the service. */
export const MailedCode = Schema.Struct({
  expiresIn: Schema.Literal(linkLimits.codeSeconds),
  resendAfter: Schema.Literal(linkLimits.resendSeconds)
}).annotate({ identifier: "MailedCode" })

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
