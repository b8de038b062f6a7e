import type { TypeResult } from "../../domain/HealthRecord.ts"
import type { ManifestEntry } from "../../domain/Manifest.ts"
import { type FetchStatus, type ItemAction, transition } from "../../domain/SyncState.ts"
import type { StoredItem } from "./StoredItems.ts"
import type { SentResource } from "./SyncRequest.ts"

/** The effects of a sync on one type, besides writing new or changed items. */
export interface TypePlan {
  readonly resourceType: string
  readonly entry: ManifestEntry
  readonly result: TypeResult
  readonly reactivate: ReadonlyArray<string>
  readonly deactivate: ReadonlyArray<string>
}

/** Whether the sent resources of a type are stored. If not, those stored earlier are more complete. */
export const storesItems = (action: ItemAction) => action === "store" || action === "replace"

export const planType = (
  resourceType: string,
  lastFetch: FetchStatus,
  moment: Date,
  before: ManifestEntry | undefined,
  stored: ReadonlyArray<StoredItem>,
  resources: ReadonlyArray<SentResource<StoredItem>>
): TypePlan => {
  const { action, state } = transition(before?.state ?? "unknown", lastFetch)
  const kept = storesItems(action) ? resources : []
  const sent = new Set(kept.map((resource) => resource.fhirId))
  const active = stored.filter((item) => item.active)
  const missing = active.filter((item) => !sent.has(item.fhirId)).length
  const deactivate = action === "replace" || action === "deactivateAll"
    ? active.flatMap((item) => sent.has(item.fhirId) ? [] : [item.fhirId])
    : []
  const reactivate = kept.flatMap(({ fhirId, known }) => known?.active === false ? [fhirId] : [])
  const rewritten = kept.filter(({ known }) => known?.active !== true).length
  return {
    resourceType,
    entry: {
      state,
      lastFetch,
      lastFetchAt: moment,
      lastCompleteAt: lastFetch === "complete" ? moment : before?.lastCompleteAt ?? null,
      itemCount: storesItems(action) || action === "deactivateAll"
        ? sent.size + missing - deactivate.length
        : before?.itemCount ?? 0
    },
    result: {
      before: before?.state ?? "unknown",
      after: state,
      stored: rewritten,
      unchanged: sent.size - rewritten,
      deactivated: deactivate.length,
      skipped: storesItems(action) ? 0 : resources.length
    },
    reactivate,
    deactivate
  }
}

/** The plan for a complete sync with the same resources as the last complete one: no item changes. */
export const planUnchanged = (resourceType: string, moment: Date, before: ManifestEntry): TypePlan => {
  const { itemCount, state } = before
  return {
    resourceType,
    entry: { state: "complete", lastFetch: "complete", lastFetchAt: moment, lastCompleteAt: moment, itemCount },
    result: { before: state, after: "complete", stored: 0, unchanged: itemCount, deactivated: 0, skipped: 0 },
    reactivate: [],
    deactivate: []
  }
}
