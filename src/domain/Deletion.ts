import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { perDay } from "./RateLimit.ts"
import { Count, Instant, Text } from "./Scalars.ts"

/** Deletions that a veteran asks for, those that are cancelled again too. Both are mailed. */
export const deletionsAsked = perDay(5)

/** A veteran is forgotten at this time, unless the deletion is cancelled before. */
export const Deletion = Schema.Struct({ endsAt: Instant }).annotate({ identifier: "Deletion" })

export const DeletionRequest = Schema.Struct({
  confirm: Text(100).annotate({ description: "The veteran's call sign" })
}).annotate({ identifier: "DeletionRequest" })

/** Words of an operator about an act: a ticket's number, and no person. */
export const OperatorReason = Schema.Struct({
  reason: Text(200).annotate({ description: "Why, such as a ticket's number; no person's name" })
}).annotate({ identifier: "OperatorReason" })

/** How many of each were live when the operator ended them. */
export const EndedAccess = Schema.Struct({ sessions: Count, grants: Count, apps: Count, links: Count, releases: Count })
  .annotate({ identifier: "EndedAccess" })

export class DeletionPending extends ApiError<DeletionPending>()("DeletionPending", {
  code: "deletion_pending",
  status: 409,
  message: "This record is about to be deleted, so nothing new is stored or shared. Cancel the deletion first."
}) {}
