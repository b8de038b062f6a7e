import { Schema } from "effect"
import { Count, Instant } from "./Scalars.ts"

/** Last-fetch status of a FHIR resource type, as the client tells it (specification, "Resources"). */
export const FetchStatus = Schema.Literals(["complete", "empty", "partial", "unavailable"])

export type FetchStatus = typeof FetchStatus.Type

/** Stored sync state of a FHIR resource type (specification, "States and transitions"). */
export const SyncState = Schema.Literals(["unknown", "empty", "complete", "partial", "stale"])

export type SyncState = typeof SyncState.Type

/** What a sync does with the items of one type. */
export type ItemAction = "replace" | "deactivateAll" | "store" | "skip" | "nothing"

const resourceType = /^[A-Z][A-Za-z]{1,63}$/

/** The shape of a FHIR resource type's name; which ones exist changes with FHIR's releases. */
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
  /** Active items. */
  itemCount: Count
}).annotate({ identifier: "ManifestEntry" })

export type ManifestEntry = typeof ManifestEntry.Type

export const Manifest = Schema.Record(ResourceType, ManifestEntry).annotate({ identifier: "Manifest" })

export type Manifest = typeof Manifest.Type

/** The transition table of the specification. Total: every stored state meets every last fetch. */
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

/** An incomplete fetch after a complete one: what is stored stays, and is no longer current. */
const stale = (before: SyncState): SyncState => before === "complete" ? "stale" : before

export const Alert = Schema.Struct({
  resourceType: ResourceType,
  code: Schema.Literals(["record_incomplete", "record_stale", "last_fetch_incomplete"]),
  message: Schema.String,
  lastCompleteAt: Schema.NullOr(Instant)
}).annotate({ identifier: "Alert" })

export type Alert = typeof Alert.Type

/** Provider alerts (specification, "States and transitions"), at most one per type, ordered by type. */
export const alerts = (manifest: Manifest): ReadonlyArray<Alert> =>
  Object.entries(manifest).sort(([a], [b]) => a < b ? -1 : 1).flatMap(([resourceType, entry]) => {
    const code = alertCode(entry)
    if (code === undefined) return []
    return [{ resourceType, code, message: alertMessages[code](resourceType), lastCompleteAt: entry.lastCompleteAt }]
  })

/** A fetch that did not load all there is. Null: there was none. */
export const isIncomplete = (lastFetch: FetchStatus | null): boolean =>
  lastFetch === "partial" || lastFetch === "unavailable"

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

/**
 * The manifest as someone may see it who sees `visible` items of each type. A type whose items are all withheld reads
 * as one that has none: 38 U.S.C. 7332(a)(2) forbids a state or a date that tells the two apart.
 */
export const visibleManifest = (manifest: Manifest, visible: ReadonlyMap<string, number>): Manifest =>
  Object.fromEntries(
    Object.entries(manifest).map(([type, entry]) => {
      const itemCount = visible.get(type) ?? 0
      if (itemCount > 0) return [type, { ...entry, itemCount }]
      const lastFetch = entry.lastFetch === "complete" ? "empty" : entry.lastFetch
      const state = entry.state === "complete" || (entry.state === "stale" && lastFetch === "unavailable")
        ? "empty"
        : entry.state === "stale"
        ? "partial"
        : entry.state
      return [type, { ...entry, state, lastFetch, lastCompleteAt: null, itemCount }]
    })
  )

export const onlyTypes = (manifest: Manifest, types: ReadonlyArray<string> | null): Manifest =>
  types === null ? manifest : Object.fromEntries(Object.entries(manifest).filter(([type]) => types.includes(type)))

/** To and from the `fhir_sync_manifest` column. What does not decode there is a defect. */
export const fromStored = Schema.decodeUnknownSync(Manifest)

export const toStored = Schema.encodeSync(Manifest)
