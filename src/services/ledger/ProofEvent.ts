import { Schema } from "effect"
import { ActorKind } from "../../domain/Disclosure.ts"
import { AnsweredId, ClientId, DocumentId, GrantId, LinkId, ProviderId } from "../../domain/Id.ts"

/** What a row of `proofs` and its leaf say about an act besides its kind and time: ids and counts (migrations/020). */
export const ProofEvent = Schema.Struct({
  actor: Schema.Struct({ kind: ActorKind, id: Schema.optionalKey(AnsweredId) }),
  providerId: Schema.optionalKey(ProviderId),
  grantId: Schema.optionalKey(GrantId),
  clientId: Schema.optionalKey(ClientId),
  documentId: Schema.optionalKey(DocumentId),
  linkId: Schema.optionalKey(LinkId),
  noteId: Schema.optionalKey(AnsweredId),
  resourceTypes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  /** The number of entries, notes or documents that were shown beside a record. */
  selfReportedEntries: Schema.optionalKey(Schema.Int),
  notes: Schema.optionalKey(Schema.Int),
  documents: Schema.optionalKey(Schema.Int)
})

export type ProofEvent = typeof ProofEvent.Type

/** The provider whom an event concerns. The veteran's list is filtered by it. */
export const providerOf = ({ actor, providerId }: ProofEvent): string | undefined =>
  providerId ?? (actor.kind === "provider" ? actor.id : undefined)
