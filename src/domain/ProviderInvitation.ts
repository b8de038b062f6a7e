import { Schema } from "effect"
import { AnsweredId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { Count, Instant } from "./Scalars.ts"

/** The maximum number of live codes of one provider. */
export const liveInvitations = 10

export const NewInvitation = Schema.Struct({
  /** 90 if it is missing. */
  expiresInDays: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 365 })))
}).annotate({ identifier: "NewProviderInvitation" })

/** A code that a clinic shows to veterans. It names the provider and opens nothing. */
export const Invitation = Schema.Struct({
  id: AnsweredId,
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: Schema.NullOr(Instant),
  used: Count.annotate({ description: "How often a veteran found the provider by it" })
}).annotate({ identifier: "ProviderInvitation" })

export type Invitation = typeof Invitation.Type

export const InvitationPage = PageOf(Invitation)

/** Told once, because only a keyed hash of the code is kept. */
export const MadeInvitation = Schema.Struct({
  id: AnsweredId,
  code: Schema.String.annotate({ description: "10 characters of Crockford's base32" }),
  url: Schema.String.annotate({ description: "The veteran's app, which opens with this provider found" }),
  qrSvg: Schema.String.annotate({ description: "The URL as a QR code, SVG" }),
  expiresAt: Instant
}).annotate({ identifier: "MadeProviderInvitation" })

export type MadeInvitation = typeof MadeInvitation.Type
