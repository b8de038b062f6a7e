import { Schema } from "effect"
import { AnsweredId, Id } from "./Id.ts"
import { PageOf, PageRequest } from "./Page.ts"
import { Instant, SentDayOrInstant, Text } from "./Scalars.ts"

/** What an operator can do to the people and apps of the service (contract, part 10). */
export const AdminActKind = Schema.Literals([
  "veteran_registered",
  "veteran_changed",
  "pairing_code_made",
  "identity_removed",
  "access_ended",
  "deletion_asked",
  "deletion_cancelled",
  "export_made",
  "provider_registered",
  "provider_changed",
  "provider_disabled",
  "provider_enabled",
  "password_link_sent",
  "app_registered",
  "app_secret_rotated",
  "app_disabled",
  "waitlist_signup_removed"
]).annotate({ identifier: "AdminActKind" })

export type AdminActKind = typeof AdminActKind.Type

export const AdminTargetKind = Schema.Literals(["veteran", "provider", "app", "waitlist_signup"])

/** What each act is done to. */
export const adminActTargets: Readonly<Record<AdminActKind, typeof AdminTargetKind.Type>> = {
  veteran_registered: "veteran",
  veteran_changed: "veteran",
  pairing_code_made: "veteran",
  identity_removed: "veteran",
  access_ended: "veteran",
  deletion_asked: "veteran",
  deletion_cancelled: "veteran",
  export_made: "veteran",
  provider_registered: "provider",
  provider_changed: "provider",
  provider_disabled: "provider",
  provider_enabled: "provider",
  password_link_sent: "provider",
  app_registered: "app",
  app_secret_rotated: "app",
  app_disabled: "app",
  waitlist_signup_removed: "waitlist_signup"
}

export const AdminAct = Schema.Struct({
  id: AnsweredId,
  at: Instant,
  act: AdminActKind,
  target: Schema.Struct({ kind: AdminTargetKind, id: AnsweredId }),
  key: Schema.String.annotate({ description: "The name of the secret in INTERNAL_ADMIN_SECRET" }),
  requestId: AnsweredId,
  reason: Schema.optionalKey(Schema.String).annotate({ description: "Only of acts for which one was given" })
}).annotate({ identifier: "AdminAct" })

export type AdminAct = typeof AdminAct.Type

export const AdminActPage = PageOf(AdminAct)

/** Filters join each other: an act must pass all of them. */
const filter = {
  target: Schema.optional(Id.annotate({ description: "The id of the person or app that the act concerned" })),
  key: Schema.optional(Text(64)),
  from: Schema.optional(
    SentDayOrInstant("00:00:00.000").annotate({ description: "The first instant, or day in UTC" })
  ),
  to: Schema.optional(
    SentDayOrInstant("23:59:59.999").annotate({ description: "The last instant, or day in UTC" })
  )
}

export const AdminActQuery = { ...PageRequest, ...filter }

export interface AdminActFilter extends Schema.Struct.Type<typeof filter> {}
