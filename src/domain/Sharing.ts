import { Schema } from "effect"
import { AnsweredId, DocumentId } from "./Id.ts"
import { PageOf, PageRequest } from "./Page.ts"
import { Count, Instant } from "./Scalars.ts"

/** The four ways in which somebody may have the record. */
export const SharingKind = Schema.Literals(["provider", "app", "link", "release"])

export type SharingKind = typeof SharingKind.Type

export const SharingStatus = Schema.Literals(["active", "ended"])

/** A grant, a secure link or a signed release. It is active if its holder could read something now. */
export const Sharing = Schema.Struct({
  kind: SharingKind,
  id: AnsweredId,
  status: SharingStatus,
  ended: Schema.NullOr(Schema.Literals(["revoked", "expired", "superseded", "wrong_codes", "disabled"])).annotate({
    description: "Why it ended. `disabled`: the operator disabled the provider or the app"
  }),
  who: Schema.Struct({
    name: Schema.String,
    organization: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
    npi: Schema.NullOr(Schema.String)
  }),
  purpose: Schema.NullOr(Schema.String),
  what: Schema.Struct({
    resourceTypes: Schema.NullOr(Schema.Array(Schema.String)).annotate({ description: "Null: every type" }),
    sensitiveCategories: Schema.Array(Schema.String),
    includeSelfReported: Schema.Boolean,
    includeDocuments: Schema.Boolean,
    documentId: Schema.NullOr(DocumentId).annotate({ description: "The signed release" }),
    items: Schema.NullOr(Count).annotate({ description: "How many items the release carries, where that is known" })
  }),
  since: Instant,
  until: Schema.NullOr(Instant),
  steps: Schema.NullOr(Schema.Struct({
    notifiedAt: Schema.NullOr(Instant),
    openedAt: Schema.NullOr(Instant),
    codeSentAt: Schema.NullOr(Instant),
    viewedAt: Schema.NullOr(Instant)
  })).annotate({ description: "What became of a link" }),
  looks: Schema.Struct({ count: Count, lastAt: Schema.NullOr(Instant) }),
  releaseId: Schema.NullOr(DocumentId).annotate({ description: "The release that a link leads to" })
}).annotate({ identifier: "Sharing" })

export type Sharing = typeof Sharing.Type

export const SharingPage = PageOf(Sharing)

export const SharingQuery = { ...PageRequest, status: Schema.optional(SharingStatus) }

/** How many of each kind were stopped. */
export const Stopped = Schema.Struct({ provider: Count, app: Count, link: Count, release: Count })
  .annotate({ identifier: "StoppedSharing" })

export type Stopped = typeof Stopped.Type
