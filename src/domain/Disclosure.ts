import { Schema, SchemaTransformation } from "effect"
import {
  AnsweredId,
  type ClientId,
  DocumentId,
  GrantId,
  LinkId,
  type ProviderId,
  SentClientId,
  SentDocumentId,
  SentGrantId,
  SentLinkId,
  SentProviderId
} from "./Id.ts"
import { PageOf, PageRequest } from "./Page.ts"
import { Count, Instant, SentDayOrInstant } from "./Scalars.ts"

/** The acts that the account of disclosures lists (contract, part 8). */
export const DisclosureKind = Schema.Literals([
  "sync_stored",
  "grant_given",
  "grant_revoked",
  "record_viewed",
  "record_saved",
  "note_written",
  "document_stored",
  "document_read",
  "roi_signed",
  "link_created",
  "link_opened",
  "link_code_sent",
  "link_code_failed",
  "link_viewed",
  "link_revoked",
  "oauth_access_granted",
  "oauth_access_denied",
  "oauth_token_refreshed",
  "oauth_access_used",
  "oauth_access_revoked",
  "oauth_code_replayed",
  "oauth_refresh_replayed",
  "session_started",
  "session_ended",
  "passkey_added",
  "passkey_removed",
  "identity_paired",
  "identity_removed",
  "email_changed",
  "deletion_asked",
  "deletion_cancelled",
  "deletion_done",
  "export_made",
  "shape_exported"
]).annotate({ identifier: "DisclosureKind" })

export type DisclosureKind = typeof DisclosureKind.Type

export const ActorKind = Schema.Literals(["veteran", "provider", "recipient", "app", "service"])

/** An event of a veteran's record. Its names are the current ones, not those at the time of the event. */
export const Disclosure = Schema.Struct({
  id: AnsweredId,
  kind: DisclosureKind,
  at: Instant,
  actor: Schema.Struct({
    kind: ActorKind,
    id: Schema.optionalKey(AnsweredId),
    name: Schema.optionalKey(Schema.String)
  }),
  summary: Schema.String.annotate({ description: "One plain sentence" }),
  resourceTypes: Schema.optionalKey(Schema.Record(Schema.String, Count)).annotate({
    description: "FHIR resource types, and how many resources of each the actor could see or sent"
  }),
  grantId: Schema.optionalKey(GrantId),
  documentId: Schema.optionalKey(DocumentId),
  linkId: Schema.optionalKey(LinkId),
  how: Schema.optionalKey(Schema.Literals(["va", "passkey", "mail", "operator", "session"])).annotate({
    description:
      "How a session began, an account was paired, or the signer of a release was confirmed; `operator` if they ended a link"
  }),
  shl: Schema.optionalKey(Schema.Literal(true)).annotate({ description: "Health apps can open the link that was made" }),
  via: Schema.optionalKey(Schema.Literals(["page", "app"])).annotate({
    description: "Whether a link was viewed on its page or in a health app"
  }),
  confirmedAt: Schema.optionalKey(Instant).annotate({ description: "When the signer of a release was confirmed" }),
  treeIndex: Schema.NullOr(Schema.Finite).annotate({
    description: "Place of the event in the log; null until it has one, within about a minute"
  })
}).annotate({ identifier: "Disclosure" })

export type Disclosure = typeof Disclosure.Type

export const DisclosurePage = PageOf(Disclosure)

/** The acts by which somebody else saw the record, or tried to. */
export const looks = ["record_viewed", "document_read", "link_opened", "link_code_failed", "link_viewed",
  "oauth_access_used"] as const satisfies ReadonlyArray<DisclosureKind>

/** The acts that disclosed something of the record, unless it is the veteran who did them. */
export const disclosing = ["record_viewed", "record_saved", "document_read", "link_viewed",
  "oauth_access_used"] as const satisfies ReadonlyArray<DisclosureKind>

const isKind = Schema.is(DisclosureKind)

/** Kinds, separated by commas. */
const DisclosureKinds = Schema.String.check(
  Schema.isMaxLength(1000),
  Schema.makeFilter((text: string) => text.split(",").every(isKind) || "Expected kinds of events, separated by commas")
).pipe(Schema.decodeTo(
  Schema.Array(DisclosureKind),
  SchemaTransformation.transform({
    decode: (text): ReadonlyArray<DisclosureKind> => text.split(",").filter(isKind),
    encode: (kinds) => kinds.join(",")
  })
))

/** Filters join each other: an event must pass all of them. */
export const DisclosureQuery = {
  ...PageRequest,
  kind: Schema.optional(DisclosureKinds.annotate({ description: "One kind or several, separated by commas" })),
  about: Schema.optional(Schema.Literal("looks").annotate({ description: `The same as kind=${looks.join(",")}` })),
  grantId: Schema.optional(SentGrantId),
  linkId: Schema.optional(SentLinkId),
  documentId: Schema.optional(SentDocumentId),
  clientId: Schema.optional(SentClientId),
  providerId: Schema.optional(SentProviderId.annotate({ description: "Events that concern this provider" })),
  from: Schema.optional(
    SentDayOrInstant("00:00:00.000").annotate({ description: "The first instant, or day in UTC" })
  ),
  to: Schema.optional(
    SentDayOrInstant("23:59:59.999").annotate({ description: "The last instant, or day in UTC" })
  )
}

export interface DisclosureFilter {
  readonly kind?: ReadonlyArray<DisclosureKind> | undefined
  readonly about?: "looks" | undefined
  readonly grantId?: GrantId | undefined
  readonly linkId?: LinkId | undefined
  readonly documentId?: DocumentId | undefined
  readonly clientId?: ClientId | undefined
  readonly providerId?: ProviderId | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}
