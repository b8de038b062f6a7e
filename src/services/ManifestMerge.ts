import { Context, Effect, Fiber, Layer, Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { Actors } from "../sql/Actor.ts"
import * as HealthRecordRepository from "../sql/HealthRecordRepository.ts"
import { Unauthenticated } from "./ApiError.ts"
import { Crypto } from "./Crypto.ts"
import { newId } from "./Ids.ts"
import { type FetchStatus, fromStored, Manifest, type ManifestEntry, SyncState, toStored, transition } from "./Manifest.ts"
import { codeSetVersion } from "./SensitiveCategories.ts"
import type { SentResource, SyncRequest } from "./SyncRequest.ts"

export const TypeResult = Schema.Struct({
  before: SyncState,
  after: SyncState,
  /** Resources that were written: new, changed, or active again. */
  stored: Schema.Int,
  unchanged: Schema.Int,
  deactivated: Schema.Int,
  /** Resources that were sent and not stored, because what is stored is more complete. */
  skipped: Schema.Int
})
type TypeResult = typeof TypeResult.Type

export const SyncResult = Schema.Struct({ manifest: Manifest, results: Schema.Record(Schema.String, TypeResult) })
export type SyncResult = typeof SyncResult.Type

/** What one sync does to one type, worked out before anything is written. */
interface Plan {
  readonly resourceType: string
  readonly lastFetch: FetchStatus
  readonly entry: ManifestEntry
  readonly result: TypeResult
  readonly write: ReadonlyArray<{ readonly resource: SentResource; readonly mac: Uint8Array }>
  readonly reactivate: ReadonlyArray<string>
  readonly deactivate: ReadonlyArray<string>
}

/** Bytes of resources that are sealed and sent as one statement. */
const batchBytes = 1024 * 1024
const batchItems = 500

/**
 * Synchronises a veteran's record: merges what the client fetched into the manifest and the items, in one transaction
 * that is serialised per veteran (contract, part 5).
 */
export class ManifestMerge extends Context.Service<ManifestMerge, {
  readonly sync: (veteranId: string, request: SyncRequest) => Effect.Effect<SyncResult, Unauthenticated>
}>()("vrss/ManifestMerge") {
  static readonly layer = Layer.effect(
    ManifestMerge,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const contentMac = crypto.keyedHash("content")

      const planType = (
        manifest: Manifest,
        veteranId: string,
        moment: Date,
        stored: ReadonlyMap<string, HealthRecordRepository.StoredItem>,
        bytes: Uint8Array,
        [resourceType, { lastFetch, resources }]: [string, { readonly lastFetch: FetchStatus; readonly resources: ReadonlyArray<SentResource> }]
      ): Plan => {
        const before = manifest[resourceType]
        const { action, state } = transition(before?.state ?? "unknown", lastFetch)
        const keeps = action === "store" || action === "replace"
        const sent = new Set(keeps ? resources.map((resource) => resource.fhirId) : [])
        const write: Array<Plan["write"][number]> = []
        const reactivate: Array<string> = []
        for (const resource of keeps ? resources : []) {
          // The classification is part of what is stored: newer code sets write an item again.
          const mac = contentMac(
            `${codeSetVersion}|${veteranId}|${resourceType}|${resource.fhirId}`,
            bytes.subarray(resource.start, resource.end)
          )
          const known = stored.get(resource.fhirId)
          if (known === undefined || !mac.equals(known.contentMac)) write.push({ resource, mac })
          else if (!known.active) reactivate.push(resource.fhirId)
        }
        const active = [...stored.values()].filter((item) => item.active).map((item) => item.fhirId)
        const deactivate = action === "replace" || action === "deactivateAll"
          ? active.filter((fhirId) => !sent.has(fhirId))
          : []
        const itemCount = keeps || action === "deactivateAll"
          ? new Set([...active, ...sent]).size - deactivate.length
          : before?.itemCount ?? 0
        const rewritten = write.length + reactivate.length
        return {
          resourceType,
          lastFetch,
          entry: {
            state,
            lastFetch,
            lastFetchAt: moment,
            lastCompleteAt: lastFetch === "complete" ? moment : before?.lastCompleteAt ?? null,
            itemCount
          },
          result: {
            before: before?.state ?? "unknown",
            after: state,
            stored: rewritten,
            unchanged: sent.size - rewritten,
            deactivated: deactivate.length,
            skipped: keeps ? 0 : resources.length
          },
          write,
          reactivate,
          deactivate
        }
      }

      const sealItem = (
        veteranId: string,
        bytes: Uint8Array,
        resourceType: string,
        { mac, resource }: Plan["write"][number]
      ): HealthRecordRepository.SealedItem => ({
        id: newId(),
        resourceType,
        fhirId: resource.fhirId,
        rawCiphertext: crypto.seal(itemPlace(veteranId, resourceType, resource.fhirId), bytes.subarray(resource.start, resource.end)),
        contentMac: mac,
        sensitiveCategories: resource.sensitiveCategories
      })

      const writeItems = Effect.fnUntraced(function*(veteranId: string, bytes: Uint8Array, plans: ReadonlyArray<Plan>) {
        let writing: Fiber.Fiber<void, SqlError.SqlError> = yield* Effect.forkChild(Effect.void)
        for (const batch of batches(plans)) {
          const sealed = batch.map(({ item, resourceType }) => sealItem(veteranId, bytes, resourceType, item))
          // The database stores one batch while the next is sealed; one at a time, so memory stays flat.
          yield* Fiber.join(writing)
          writing = yield* Effect.forkChild(HealthRecordRepository.store(veteranId, sealed), { startImmediately: true })
          yield* Effect.yieldNow
        }
        yield* Fiber.join(writing)
      })

      const sync = Effect.fn("ManifestMerge.sync")(function*(veteranId: string, { bytes, types }: SyncRequest) {
        const locked = yield* HealthRecordRepository.lockManifest(veteranId)
        if (Option.isNone(locked)) return yield* new Unauthenticated()
        const manifest = fromStored(locked.value.fhirSyncManifest)
        const changing = [...types].flatMap(([type, { lastFetch }]) => {
          const { action } = transition(manifest[type]?.state ?? "unknown", lastFetch)
          return action === "skip" || action === "nothing" ? [] : [type]
        })
        const stored = new Map<string, Map<string, HealthRecordRepository.StoredItem>>(types.keys().map((type) => [type, new Map()]))
        for (const item of yield* HealthRecordRepository.stored(veteranId, changing)) {
          stored.get(item.resourceType)!.set(item.fhirId, item)
        }
        const plans: Array<Plan> = []
        for (const type of types) {
          plans.push(planType(manifest, veteranId, locked.value.moment, stored.get(type[0])!, bytes, type))
          yield* Effect.yieldNow
        }
        yield* writeItems(veteranId, bytes, plans)
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
        sync: (veteranId, request) => actors.withActor({ kind: "veteran", veteranId })(sync(veteranId, request))
      })
    })
  )
}

/** Where an item's ciphertext is bound: its row is the FHIR id within the type. */
export const itemPlace = (veteranId: string, resourceType: string, fhirId: string) => ({
  table: "health_record_items",
  column: "raw_ciphertext",
  row: `${resourceType}/${fhirId}`,
  veteranId
})

function* batches(plans: ReadonlyArray<Plan>) {
  let batch: Array<{ readonly resourceType: string; readonly item: Plan["write"][number] }> = []
  let size = 0
  for (const { resourceType, write } of plans) {
    for (const item of write) {
      batch.push({ resourceType, item })
      size += item.resource.end - item.resource.start
      if (size < batchBytes && batch.length < batchItems) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}
