import { Context, Effect, Layer, Metric, Option } from "effect"
import type { KeyObject } from "node:crypto"
import { DeletionPending } from "../../domain/Deletion.ts"
import {
  type Conflict,
  type InvalidJson,
  type InvalidRequest,
  type PayloadTooLarge,
  type ServiceUnavailable,
  type SyncRequired,
  Unauthenticated
} from "../../domain/Errors.ts"
import type { SyncResult } from "../../domain/HealthRecord.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { SyncActors } from "../../sql/Actor.ts"
import * as ClassifiedItemRepository from "../../sql/record/ClassifiedItemRepository.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { fromStored, toStored } from "../../sql/record/ManifestColumn.ts"
import { Crypto } from "../platform/Crypto.ts"
import { recordRoom } from "./RecordRoom.ts"
import { referenceHash } from "./ReferenceHashes.ts"
import * as ReferredCategories from "./ReferredCategories.ts"
import { SyncQueue } from "./SyncQueue.ts"
import { type AskReading, SyncReader } from "./SyncReader.ts"

/** Merges fetched resources into the manifest and the items, in one transaction per veteran (contract, part 5). */
export class ManifestMerge extends Context.Service<ManifestMerge, {
  /** `bytes` is the request's body. It is empty afterwards if it was moved to a worker process. */
  readonly sync: (
    veteranId: VeteranId,
    bytes: Uint8Array
  ) => Effect.Effect<
    SyncResult,
    | Conflict
    | DeletionPending
    | InvalidJson
    | InvalidRequest
    | PayloadTooLarge
    | ServiceUnavailable
    | SyncRequired
    | Unauthenticated
  >
  /** Prepares for a sync: an app reads the manifest before it fetches, and sends its sync when it has fetched. */
  readonly expect: Effect.Effect<void>
}>()("vrss/services/record/ManifestMerge") {
  static readonly layer = Layer.effect(
    ManifestMerge,
    Effect.gen(function*() {
      const actors = yield* SyncActors
      const referenceKey = (yield* Crypto).derivedKey("reference")
      const { inPlace } = yield* SyncQueue
      const { expect, read } = yield* SyncReader
      const makeRoom = yield* recordRoom

      const sync = Effect.fn("ManifestMerge.sync")(
        function*(veteranId: VeteranId, bytes: Uint8Array, finish: Effect.Effect<void>) {
          yield* Metric.update(bodyBytes, bytes.length)
          const ask = yield* read(veteranId, bytes)
          return yield* merge(veteranId, ask, referenceKey, makeRoom).pipe(
            Effect.tap(finish),
            actors.withActor({ kind: "veteran", veteranId })
          )
        }
      )

      return ManifestMerge.of({
        expect,
        sync: (veteranId, bytes) =>
          inPlace(veteranId, bytes.length)((finish) => Effect.scoped(sync(veteranId, bytes, finish)))
      })
    })
  )
}

const merge = Effect.fnUntraced(function*(
  veteranId: VeteranId,
  ask: AskReading,
  referenceKey: KeyObject,
  makeRoom: Effect.Success<typeof recordRoom>
) {
  const locked = yield* HealthRecordRepository.lockManifest(veteranId)
  if (Option.isNone(locked)) return yield* new Unauthenticated()
  const { deleting, fhirListHashes, fhirSyncManifest, moment } = locked.value
  if (deleting) return yield* new DeletionPending()
  const changing = yield* ask("begin", fromStored(fhirSyncManifest), fhirListHashes, moment)
  const stored = changing.length === 0 ? [] : yield* HealthRecordRepository.stored(veteranId, changing)
  if (changing.length > 0) yield* ask("recallClassified", yield* ClassifiedItemRepository.list(veteranId))
  for (const row of stored) yield* ask("recall", row)
  for (;;) {
    const step = yield* ask("step")
    if ("store" in step) {
      yield* HealthRecordRepository.store(veteranId, step.store, { mayReplace: stored.length > 0, moment })
    } else if ("active" in step) yield* HealthRecordRepository.setActive(veteranId, step, moment)
    else {
      const { concernsClassified, hashes, unknownSystems, ...result } = step
      yield* Metric.update(unknownCodeSystems, unknownSystems)
      const items = Object.values(result.results).reduce((sum, { stored, unchanged }) => sum + stored + unchanged, 0)
      yield* Metric.update(syncedItems, items)
      if (concernsClassified) {
        yield* ReferredCategories.settle(veteranId, referenceHash(referenceKey, veteranId), moment)
      }
      // Items removed for room keep their categories and those of the items that they refer to.
      if (changing.length > 0) yield* makeRoom(veteranId, locked.value)
      const types = Object.keys(result.results).map((type) => [type, result.manifest[type]!.itemCount] as const)
      yield* HealthRecordRepository.saveManifest(veteranId, {
        manifest: toStored(result.manifest),
        hashes,
        types: Object.fromEntries(types)
      })
      return result
    }
  }
})

/** The metric has no label for the code system, because senders could invent systems without limit. */
const unknownCodeSystems = Metric.counter("health_record_unknown_code_systems_total", {
  description: "Codings of new or changed resources whose code system is neither searched nor known to be harmless",
  incremental: true
})

const bodyBytes = Metric.histogram("sync_body_bytes", {
  description: "Size of the bodies of syncs, decompressed",
  boundaries: [4, 16, 64, 256, 1024, 4096, 16_384, 65_536].map((kibibytes) => kibibytes * 1024)
})

const syncedItems = Metric.histogram("sync_items", {
  description: "Resources in syncs that were stored or found unchanged",
  boundaries: [1, 10, 100, 1000, 10_000, 100_000]
})
