import { Schema } from "effect"
import { type Manifest, type ManifestEntry, ResourceType } from "./Manifest.ts"
import { Instant } from "./Scalars.ts"
import { isIncomplete } from "./SyncState.ts"

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
