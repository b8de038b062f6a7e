import { Context, Effect, Layer, Option } from "effect"
import { type InvalidRequest, Unauthenticated } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { pageBytes, pageLimit, type PageRequest } from "../../domain/Page.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { fromStored, toStored } from "../../sql/record/ManifestColumn.ts"
import { Crypto } from "../platform/Crypto.ts"
import { makePace } from "../platform/Pace.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { JsonBytes } from "./JsonBytes.ts"

/** The bytes that a page has left. An empty page takes an item of any size, so that every page makes progress. */
export interface PageRoom {
  left: number
  readonly pace: ReturnType<typeof makePace>
}

export const pageRoom = (): PageRoom => ({ left: pageBytes, pace: makePace() })

interface SealedItem {
  readonly resourceType: string
  readonly fhirId: string
  readonly rawCiphertext: Uint8Array
}

export class HealthRecord extends Context.Service<HealthRecord, {
  /** Returns a page of items as JSON. */
  readonly list: (
    veteranId: VeteranId,
    query: PageRequest & { readonly resourceType?: string | undefined; readonly includeInactive?: boolean | undefined }
  ) => Effect.Effect<JsonBytes, InvalidRequest | Unauthenticated>
  readonly manifest: (veteranId: VeteranId) => Effect.Effect<Manifest, Unauthenticated>
  /** Opens items in order while the page has room. The remaining items are left for the next page. */
  readonly encode: (
    veteranId: VeteranId,
    items: ReadonlyArray<HealthRecordRepository.ItemRow | HealthRecordRepository.OwnItemRow>,
    page: PageRoom
  ) => Effect.Effect<ReadonlyArray<JsonBytes>>
  readonly open: (veteranId: VeteranId, item: SealedItem) => Effect.Effect<Uint8Array>
}>()("vrss/services/record/HealthRecord") {
  static readonly layer = Layer.effect(
    HealthRecord,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const paging = yield* Paging
      const veterans = VeteranRepository.make(yield* SharedConnections)

      const manifest = Effect.fn("HealthRecord.manifest")(function*(veteranId: VeteranId) {
        const veteran = yield* veterans.findById(veteranId)
        return Option.isSome(veteran)
          ? fromStored(veteran.value.fhirSyncManifest)
          : yield* new Unauthenticated()
      })

      const placeOfItem = (veteranId: VeteranId, { fhirId, resourceType }: SealedItem) =>
        placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)

      const open: HealthRecord["Service"]["open"] = (veteranId, item) => {
        const place = placeOfItem(veteranId, item)
        const resource = crypto.openUnsafe(place, item.rawCiphertext)
        return resource === undefined ? Effect.orDie(crypto.open(place, item.rawCiphertext)) : Effect.succeed(resource)
      }

      const encode: HealthRecord["Service"]["encode"] = Effect.fnUntraced(
        function*(veteranId, items, page) {
          const encoded: Array<JsonBytes> = []
          for (const item of items) {
            const { active, fhirId, id, rawCiphertext, resourceType, syncedAt } = item
            if (rawCiphertext === null || page.left <= 0) break
            const resource = JsonBytes.exact(yield* open(veteranId, { resourceType, fhirId, rawCiphertext }))
            page.left -= resource.length
            yield* page.pace(resource.length)
            encoded.push(JsonBytes.object({
              id,
              resourceType,
              fhirId,
              active,
              syncedAt,
              ..."sensitiveCategories" in item && { sensitiveCategories: item.sensitiveCategories },
              resource
            }))
          }
          return encoded
        }
      )

      const list: HealthRecord["Service"]["list"] = Effect.fn("HealthRecord.list")(function*(veteranId, query) {
        const { cursor, includeInactive = false, limit = pageLimit.default, resourceType } = query
        const list = `health-record|${veteranId}|${resourceType ?? ""}`
        const after = cursor === undefined ? undefined : yield* paging.position(list, cursor)
        const rows = yield* asVeteran(veteranId)(HealthRecordRepository.list({
          veteranId,
          resourceType,
          includeInactive,
          after: after === undefined ? undefined : { resourceType: after[0]!, fhirId: after[1]! },
          limit: limit + 1
        }))
        const items = yield* encode(veteranId, rows.slice(0, limit), pageRoom())
        const last = rows[items.length - 1]
        return JsonBytes.object({
          items: JsonBytes.array(items),
          nextCursor: rows.length > items.length ? paging.cursor(list, [last!.resourceType, last!.fhirId]) : null,
          manifest: toStored(yield* manifest(veteranId))
        })
      })

      return HealthRecord.of({ list, manifest, encode, open })
    })
  )
}
