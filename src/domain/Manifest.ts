import { Schema } from "effect"
import { Count, Instant } from "./Scalars.ts"

/** The client tells how the last fetch of a FHIR resource type ended (specification, "Resources"). */
export const FetchStatus = Schema.Literals(["complete", "empty", "partial", "unavailable"])

export type FetchStatus = typeof FetchStatus.Type

/** Such a fetch did not load all there is. Null stands for none at all. */
export const isIncomplete = (lastFetch: FetchStatus | null): boolean =>
  lastFetch === "partial" || lastFetch === "unavailable"

/** The service stores this state of each FHIR resource type (specification, "States and transitions"). */
export const SyncState = Schema.Literals(["unknown", "empty", "complete", "partial", "stale"])

export type SyncState = typeof SyncState.Type

/** A sync does this with the items of one type. */
export type ItemAction = "replace" | "deactivateAll" | "store" | "skip" | "nothing"

const resourceType = /^[A-Z][A-Za-z]{1,63}$/

/** Only the name's shape is checked, for which types exist changes with FHIR's releases. */
export const ResourceType = Schema.String.check(
  Schema.isPattern(resourceType, {
    message: "Expected a FHIR resource type",
    // As an approximation it stays out of `patternProperties`, which generators of clients do not read.
    toJsonSchema: () => [{ pattern: resourceType.source }, true]
  })
)

export const ManifestEntry = Schema.Struct({
  state: SyncState,
  lastFetch: FetchStatus,
  lastFetchAt: Instant,
  lastCompleteAt: Schema.NullOr(Instant),
  /** It counts active items. */
  itemCount: Count
}).annotate({ identifier: "ManifestEntry" })

export type ManifestEntry = typeof ManifestEntry.Type

export const Manifest = Schema.Record(ResourceType, ManifestEntry).annotate({ identifier: "Manifest" })

export type Manifest = typeof Manifest.Type

/** This is the transition table of the specification. It is total: every stored state meets every last fetch. */
export const transition = (
  before: SyncState,
  lastFetch: FetchStatus
): { readonly state: SyncState; readonly action: ItemAction } => {
  const known = before !== "unknown" && before !== "empty"
  switch (lastFetch) {
    case "complete":
      return { state: "complete", action: "replace" }
    case "empty":
      return { state: "empty", action: "deactivateAll" }
    case "partial":
      return known ? { state: stale(before), action: "skip" } : { state: "partial", action: "store" }
    case "unavailable":
      return { state: stale(before), action: "nothing" }
  }
}

/** After an incomplete fetch what a complete one stored stays, and is no longer current. */
const stale = (before: SyncState): SyncState => before === "complete" ? "stale" : before

export const Alert = Schema.Struct({
  resourceType: ResourceType,
  code: Schema.Literals(["record_incomplete", "record_stale", "last_fetch_incomplete"]),
  message: Schema.String,
  lastCompleteAt: Schema.NullOr(Instant)
}).annotate({ identifier: "Alert" })

export type Alert = typeof Alert.Type

/** A provider gets at most one alert per type, ordered by type (specification, "States and transitions"). */
export const alerts = (manifest: Manifest): ReadonlyArray<Alert> =>
  Object.entries(manifest).sort(([a], [b]) => a < b ? -1 : 1).flatMap(([resourceType, entry]) => {
    const code = alertCode(entry)
    if (code === undefined) return []
    return [{ resourceType, code, message: alertMessages[code](resourceType), lastCompleteAt: entry.lastCompleteAt }]
  })

const alertCode = ({ lastFetch, state }: ManifestEntry): Alert["code"] | undefined => {
  if (state === "partial") return "record_incomplete"
  if (state === "stale") return "record_stale"
  return isIncomplete(lastFetch) && state !== "unknown" ? "last_fetch_incomplete" : undefined
}

const alertMessages: Record<Alert["code"], (resourceType: string) => string> = {
  record_incomplete: (type) => `${type}: the record is incomplete because some upstream data could not be loaded.`,
  record_stale: (type) =>
    `${type}: the data shown comes from the last complete sync; the most recent fetch was incomplete.`,
  last_fetch_incomplete: (type) => `${type}: the most recent fetch could not load all upstream data.`
}
