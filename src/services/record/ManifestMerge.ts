import { Context, Effect, Layer, Metric, Option, Stream } from "effect"
import { type InvalidJson, type InvalidRequest, Unauthenticated } from "../../domain/Errors.ts"
import type { SyncResult, TypeResult } from "../../domain/HealthRecord.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest, ManifestEntry } from "../../domain/Manifest.ts"
import { type FetchStatus, type ItemAction, transition } from "../../domain/SyncState.ts"
import { Actors } from "../../sql/Actor.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { fromStored, toStored } from "../../sql/record/ManifestColumn.ts"
import { Crypto } from "../platform/Crypto.ts"
import { idAt } from "../platform/Ids.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import type { Slice } from "./JsonCut.ts"
import { codeSetVersion } from "./SensitiveCodes.ts"
import { type NewResource, readResources, type SentResource, type SyncRequest } from "./SyncRequest.ts"

/** Says what one sync does to one type, beside writing what is new or changed. */
interface Plan {
  readonly resourceType: string
  readonly entry: ManifestEntry
  readonly result: TypeResult
  readonly reactivate: ReadonlyArray<string>
  readonly deactivate: ReadonlyArray<string>
}

/**
 * Synchronises a veteran's record: merges what the client fetched into the manifest and the items, in one transaction
 * that is serialised per veteran (contract, part 5).
 */
export class ManifestMerge extends Context.Service<ManifestMerge, {
  readonly sync: (
    veteranId: VeteranId,
    request: SyncRequest
  ) => Effect.Effect<SyncResult, InvalidJson | InvalidRequest | Unauthenticated>
}>()("vrss/ManifestMerge") {
  static readonly layer = Layer.effect(
    ManifestMerge,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const contentMac = crypto.keyedHash("content")

      /**
       * The same bytes under one type have one hash. The classification is part of it: newer code sets write an item
       * again.
       */
      const macOf = (veteranId: VeteranId, resourceType: string, bytes: Uint8Array, { end, start }: Slice) =>
        contentMac(`${codeSetVersion}|${veteranId}|${resourceType}`, bytes.subarray(start, end))

      const sealItem = (
        veteranId: VeteranId,
        bytes: Uint8Array,
        id: string,
        resource: NewResource
      ): HealthRecordRepository.SealedItem => {
        const { end, fhirId, resourceType, sensitiveCategories, start } = resource
        const place = placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)
        return {
          id,
          resourceType,
          fhirId,
          rawCiphertext: crypto.seal(place, bytes.subarray(start, end)),
          contentMac: macOf(veteranId, resourceType, bytes, resource),
          sensitiveCategories
        }
      }

      const sync = Effect.fn("ManifestMerge.sync")(function*(veteranId: VeteranId, request: SyncRequest) {
        const { bytes, statuses } = request
        const locked = yield* HealthRecordRepository.lockManifest(veteranId)
        if (Option.isNone(locked)) return yield* new Unauthenticated()
        const manifest = fromStored(locked.value.fhirSyncManifest)
        const actionOf = (type: string, lastFetch: FetchStatus) =>
          transition(manifest[type]?.state ?? "unknown", lastFetch).action
        const actions = new Map([...statuses].map(([type, lastFetch]) => [type, actionOf(type, lastFetch)]))
        const changing = [...actions].flatMap(([type, action]) =>
          action === "skip" || action === "nothing" ? [] : [type]
        )
        const stored = yield* HealthRecordRepository.stored(veteranId, changing)
        const recognise = (resourceType: string, slice: Slice) =>
          stored.get(resourceType)?.byMac.get(macOf(veteranId, resourceType, bytes, slice).toString("latin1"))
        // Later batches with later times, or counted-up ids, would tell a provider how many items are withheld.
        const moment = Date.now()
        const batches = yield* readResources(request, recognise).pipe(
          Stream.tap(({ fresh }) =>
            Metric.update(unknownCodeSystems, fresh.reduce((sum, resource) => sum + resource.unknownSystems, 0))
          ),
          Stream.map(({ fresh, sent }) => ({
            sent,
            sealed: fresh.flatMap((resource) =>
              keeps(actions.get(resource.resourceType)!) ? [sealItem(veteranId, bytes, idAt(moment), resource)] : []
            )
          })),
          // The database stores one batch while the next is read and sealed. No third one waits between them: it would
          // cost 20 MB more in the largest sync, and save no time.
          Stream.buffer({ capacity: 0 }),
          Stream.mapEffect(({ sealed, sent }) =>
            Effect.as(
              sealed.length === 0 ? Effect.void : HealthRecordRepository.store(veteranId, sealed, stored.size > 0),
              sent
            )
          ),
          Stream.runCollect
        )
        const resources = Map.groupBy(batches.flat(), ({ resourceType }) => resourceType)
        const plans = [...statuses].map(([type, lastFetch]) =>
          planType(
            type,
            lastFetch,
            locked.value.moment,
            manifest[type],
            stored.get(type)?.items ?? [],
            resources.get(type) ?? []
          )
        )
        const ids = (pick: (plan: Plan) => ReadonlyArray<string>) =>
          plans.flatMap((plan) => pick(plan).map((fhirId) => ({ resourceType: plan.resourceType, fhirId })))
        yield* HealthRecordRepository.setActive(veteranId, true, ids((plan) => plan.reactivate))
        yield* HealthRecordRepository.setActive(veteranId, false, ids((plan) => plan.deactivate))
        const merged: Manifest = {
          ...manifest,
          ...Object.fromEntries(plans.map(({ entry, resourceType }) => [resourceType, entry]))
        }
        yield* HealthRecordRepository.saveManifest(veteranId, toStored(merged))
        return {
          manifest: merged,
          results: Object.fromEntries(plans.map(({ resourceType, result }) => [resourceType, result]))
        }
      })

      return ManifestMerge.of({
        sync: (veteranId, request) =>
          actors.withActor({ kind: "veteran", veteranId }, longestSync)(sync(veteranId, request))
      })
    })
  )
}

/**
 * Codings that were not searched because nobody here knows their system. It has no label: a sender makes up systems as he
 * likes.
 */
const unknownCodeSystems = Metric.counter("health_record_unknown_code_systems_total", {
  description: "Codings of new or changed resources whose code system is neither searched nor known to be harmless",
  incremental: true
})

/** These milliseconds are enough for 64 MiB and a database under load. */
const longestSync = 120_000

const keeps = (action: ItemAction) => action === "store" || action === "replace"

const planType = (
  resourceType: string,
  lastFetch: FetchStatus,
  moment: Date,
  before: ManifestEntry | undefined,
  stored: ReadonlyArray<HealthRecordRepository.StoredItem>,
  resources: ReadonlyArray<SentResource<HealthRecordRepository.StoredItem>>
): Plan => {
  const { action, state } = transition(before?.state ?? "unknown", lastFetch)
  const kept = keeps(action) ? resources : []
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
      itemCount: keeps(action) || action === "deactivateAll"
        ? sent.size + missing - deactivate.length
        : before?.itemCount ?? 0
    },
    result: {
      before: before?.state ?? "unknown",
      after: state,
      stored: rewritten,
      unchanged: sent.size - rewritten,
      deactivated: deactivate.length,
      skipped: keeps(action) ? 0 : resources.length
    },
    reactivate,
    deactivate
  }
}
