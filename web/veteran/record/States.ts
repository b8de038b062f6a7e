import type { Alert } from "../../../src/domain/Alert.ts"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import type { States } from "../../shared/record/glance/Completeness.ts"

/** How complete the veteran's record is, as the record's cards read it. */
export const statesOf = (manifest: Manifest, alerts: ReadonlyArray<Alert>): States => ({
  isOfRange: false,
  alerts: alerts.map(({ lastCompleteAt, ...alert }) => ({ ...alert, lastCompleteAt: iso(lastCompleteAt) })),
  sections: Object.entries(manifest).map(([resourceType, { lastCompleteAt, lastFetchAt, ...entry }]) => ({
    ...entry,
    resourceType,
    lastFetchAt: iso(lastFetchAt),
    lastCompleteAt: iso(lastCompleteAt)
  }))
})

const iso = (at: Date | null) => at?.toISOString() ?? null
