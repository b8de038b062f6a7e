import { Schema } from "effect"
import { ActorKind } from "../../domain/Disclosure.ts"
import { AnsweredId, ClientId, DocumentId, GrantId, LinkId, ProviderId } from "../../domain/Id.ts"

/**
 * The details of an act: who did it, to what, and how much. A row of `proofs` and its leaf have them beside the act's
 * kind and time (migrations/020).
 */
export const ProofEvent = Schema.Struct({
  actor: Schema.Struct({ kind: ActorKind, id: Schema.optionalKey(AnsweredId) }),
  providerId: Schema.optionalKey(ProviderId),
  grantId: Schema.optionalKey(GrantId),
  clientId: Schema.optionalKey(ClientId),
  documentId: Schema.optionalKey(DocumentId),
  linkId: Schema.optionalKey(LinkId),
  noteId: Schema.optionalKey(AnsweredId),
  resourceTypes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  /** A health app can open the link that was created. */
  shl: Schema.optionalKey(Schema.Literal(true)),
  /** Whether the link was viewed on its page or in a health app. Earlier views do not say. */
  via: Schema.optionalKey(Schema.Literals(["page", "app"])),
  /** The numbers of entries, notes and documents that were shown with a record. */
  selfReportedEntries: Schema.optionalKey(Schema.Int),
  notes: Schema.optionalKey(Schema.Int),
  documents: Schema.optionalKey(Schema.Int),
  /** How a session began, an account was paired, or the signer of a release was confirmed. */
  how: Schema.optionalKey(Schema.Literals(["va", "passkey", "mail", "operator", "session"])),
  /** ISO 8601 in UTC. */
  confirmedAt: Schema.optionalKey(Schema.String)
})

export type ProofEvent = typeof ProofEvent.Type

/** The provider whom an event concerns. Veterans can filter their list of events by provider. */
export const providerOf = ({ actor, providerId }: ProofEvent): string | undefined =>
  providerId ?? (actor.kind === "provider" ? actor.id : undefined)

/** What a veteran's list of events can be filtered by, beside the provider. Those of the fewest events come first. */
export const subjects = ["linkId", "grantId", "documentId", "clientId"] as const

export type Subject = typeof subjects[number]

/** The grant, link, document or app that an event is about. */
export const subjectOf = (event: ProofEvent, subject: Subject): string | undefined =>
  event[subject] ?? (subject === "clientId" && event.actor.kind === "app" ? event.actor.id : undefined)
