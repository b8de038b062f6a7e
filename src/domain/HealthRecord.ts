import { Schema } from "effect"
import { AnsweredId } from "./Id.ts"
import { Manifest, ResourceType } from "./Manifest.ts"
import { Count, Instant, Sha256 } from "./Scalars.ts"
import { SensitiveCategory } from "./SensitiveCategory.ts"
import { FetchStatus, SyncState } from "./SyncState.ts"

const members = {
  id: AnsweredId,
  resourceType: ResourceType,
  fhirId: Schema.String,
  active: Schema.Boolean,
  syncedAt: Instant
}

/** An item, for the OpenAPI document. `resource` is embedded as the exact JSON text that was synchronised. */
export const HealthRecordItem = Schema.Struct({ ...members, resource: Schema.Unknown })
  .annotate({ identifier: "HealthRecordItem" })

/** An item as its own veteran sees it, with the categories that a grant must include to show it to a provider. */
export const OwnHealthRecordItem = Schema.Struct({
  ...members,
  sensitiveCategories: Schema.Array(SensitiveCategory),
  resource: Schema.Unknown
}).annotate({ identifier: "OwnHealthRecordItem" })

/** Digests are compared as text, so only lower case is accepted. */
const Digest = Sha256.check(Schema.isPattern(/^[0-9a-f]{64}$/, { message: "Expected a SHA-256 in lower-case hex" }))

/**
 * `HealthRecordSyncRequest`, for the OpenAPI document. A request is not parsed as a whole:
 * services/record/SyncRequest.ts cuts the resources out of its bytes, to keep each resource's exact text.
 */
export const HealthRecordSyncRequest = Schema.Struct({
  fhirResourceFetchStatuses: Schema.Record(ResourceType, FetchStatus),
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Unknown))),
  /** A digest (TypeDigest.ts) replaces a type's list if its resources are the same as in its last complete sync. */
  unchanged: Schema.optional(Schema.Record(ResourceType, Digest))
}).annotate({ identifier: "HealthRecordSyncRequest" })

export const TypeResult = Schema.Struct({
  before: SyncState,
  after: SyncState,
  /** Resources that were written: new, changed, or active again. */
  stored: Count,
  unchanged: Count,
  deactivated: Count,
  /** Resources that were sent but not stored, because the stored ones are more complete. */
  skipped: Count
}).annotate({ identifier: "SyncTypeResult" })

export type TypeResult = typeof TypeResult.Type

export const SyncResult = Schema.Struct({ manifest: Manifest, results: Schema.Record(Schema.String, TypeResult) })
  .annotate({ identifier: "SyncResult" })

export type SyncResult = typeof SyncResult.Type
