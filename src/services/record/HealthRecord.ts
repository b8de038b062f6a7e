import { Context, Effect, Layer, Option } from "effect"
import { type InvalidRequest, Unauthenticated } from "../../domain/Errors.ts"
import { fromStored, type Manifest, toStored } from "../../domain/Manifest.ts"
import type { PageRequest } from "../../domain/Page.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { JsonBytes } from "./JsonBytes.ts"

/** Reads a veteran's own items and manifest back. */
export class HealthRecord extends Context.Service<HealthRecord, {
  /** Answers a page of items as the bytes of the JSON answer. */
  readonly list: (
    veteranId: string,
    query: PageRequest & { readonly resourceType?: string | undefined; readonly includeInactive?: boolean | undefined }
  ) => Effect.Effect<Buffer, InvalidRequest | Unauthenticated>
  readonly manifest: (veteranId: string) => Effect.Effect<Manifest, Unauthenticated>
  readonly encode: (
    veteranId: string,
    items: ReadonlyArray<HealthRecordRepository.ItemRow>
  ) => Effect.Effect<ReadonlyArray<JsonBytes>>
}>()("vrss/HealthRecord") {
  static readonly layer = Layer.effect(
    HealthRecord,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const paging = yield* Paging
      const veterans = VeteranRepository.make(yield* SharedConnections)

      const manifest = Effect.fn("HealthRecord.manifest")(function*(veteranId: string) {
        const veteran = yield* veterans.findById(veteranId)
        return Option.isSome(veteran)
          ? fromStored(veteran.value.fhirSyncManifest)
          : yield* new Unauthenticated()
      })

      const encode = (veteranId: string, items: ReadonlyArray<HealthRecordRepository.ItemRow>) =>
        Effect.sync(() =>
          items.map(({ active, fhirId, id, rawCiphertext, resourceType, syncedAt }) => {
            const place = placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)
            const resource = JsonBytes.exact(crypto.openUnsafe(place, rawCiphertext))
            return JsonBytes.object({ id, resourceType, fhirId, active, syncedAt, resource })
          })
        )

      const list: HealthRecord["Service"]["list"] = Effect.fn("HealthRecord.list")(function*(veteranId, query) {
        const { includeInactive = false, resourceType } = query
        const { items, nextCursor } = yield* paging.page(
          `health-record|${veteranId}|${resourceType ?? ""}`,
          query,
          ({ after, limit }) =>
            actors.withActor({ kind: "veteran", veteranId })(HealthRecordRepository.list({
              veteranId,
              resourceType,
              includeInactive,
              after: after === undefined ? undefined : { resourceType: after[0]!, fhirId: after[1]! },
              limit
            })),
          (item) => [item.resourceType, item.fhirId]
        )
        return JsonBytes.object({
          items: JsonBytes.array(yield* encode(veteranId, items)),
          nextCursor,
          manifest: toStored(yield* manifest(veteranId))
        }).toBuffer()
      })

      return HealthRecord.of({ list, manifest, encode })
    })
  )
}
