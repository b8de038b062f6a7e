import { Schema } from "effect"
import { DocumentId, LinkId, SentDocumentId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { AnsweredEmail, EmailAddress, Instant, Text } from "./Scalars.ts"
import { linkLimits } from "./SecureLink.ts"

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
