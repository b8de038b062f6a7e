import { Schema } from "effect"
import { Count, Instant } from "./Scalars.ts"
import { FetchStatus, SyncState } from "./SyncState.ts"

const resourceType = /^[A-Z][A-Za-z]{1,63}$/

/** Only the name's form is checked, because FHIR's releases change which types exist. */
export const ResourceType = Schema.String.check(
  Schema.isPattern(resourceType, {
    message: "Expected a FHIR resource type",
    // `true` marks an approximation. Without it, Effect emits `patternProperties`, which client generators ignore.
    toJsonSchema: () => [{ pattern: resourceType.source }, true]
  })
)

export const ManifestEntry = Schema.Struct({
  state: SyncState,
  lastFetch: FetchStatus,
  lastFetchAt: Instant,
  lastCompleteAt: Schema.NullOr(Instant),
  itemCount: Count
}).annotate({ identifier: "ManifestEntry" })

export type ManifestEntry = typeof ManifestEntry.Type

export const Manifest = Schema.Record(ResourceType, ManifestEntry).annotate({ identifier: "Manifest" })

export type Manifest = typeof Manifest.Type
