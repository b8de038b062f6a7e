import { Context, Effect, Layer } from "effect"
import { ConsentRequired, type ProviderGrant } from "../../domain/ConsentGrant.ts"
import { InvalidRequest, type NotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, ProviderId, VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { pageLimit, type PageRequest } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as ProviderNoteRepository from "../../sql/patient/ProviderNoteRepository.ts"
import { readAhead } from "../../sql/ReadAhead.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import * as SelfReportedRepository from "../../sql/record/SelfReportedRepository.ts"
import { type DocumentContent, Documents } from "../document/Documents.ts"
import { makePace } from "../platform/Pace.ts"
import { Paging } from "../platform/Paging.ts"
import { HealthRecord, pageRoom } from "../record/HealthRecord.ts"
import { JsonBytes } from "../record/JsonBytes.ts"
import { SelfReportedEntries } from "../record/SelfReportedEntries.ts"
import { onlyTypes, visibleManifest } from "../record/VisibleManifest.ts"
import { type ActiveGrants, activeGrants, allStand } from "./ActiveGrants.ts"
import { ProviderNotes } from "./ProviderNotes.ts"
import { encodeRecordView } from "./RecordView.ts"

/** The record view shows at most this many self-reported entries, notes and documents each, the newest first. */
const newest = { after: undefined, limit: 200 }

/** Shows a provider their patients: the veterans with an active grant to the provider. */
export class Patients extends Context.Service<Patients, {
  readonly grant: (providerId: ProviderId, veteranId: VeteranId) => Effect.Effect<ProviderGrant, ConsentRequired>
  /** Returns the record as JSON. A `cursor` continues the section of one `resourceType`, which must be sent with it. */
  readonly record: (
    providerId: ProviderId,
    veteranId: VeteranId,
    query: RecordQuery
  ) => Effect.Effect<JsonBytes, ConsentRequired | InvalidRequest>
  readonly document: (
    providerId: ProviderId,
    veteranId: VeteranId,
    id: DocumentId
  ) => Effect.Effect<DocumentContent, ConsentRequired | NotFound | SealBroken | ServiceUnavailable>
}>()("vrss/services/patient/Patients") {
  static readonly layer = Layer.effect(
    Patients,
    Effect.gen(function*() {
      const actors = yield* Actors
      const documents = yield* Documents
      const activeGrantsOf = yield* activeGrants
      const healthRecord = yield* HealthRecord
      const notes = yield* ProviderNotes
      const paging = yield* Paging
      const selfReported = yield* SelfReportedEntries

      /** Reads the rows of a view. Its last statement also stores the view's proof, and that the provider looked. */
      const rowsOf = Effect.fnUntraced(
        function*({ active, after, limit, look, providerId, resourceTypes, veteranId }: ViewQuery) {
          const items = yield* HealthRecordRepository.sections({ veteranId, resourceTypes, after, limit: limit + 1 })
          // Policies would show no row of what no grant includes, after they had looked at each.
          const selfReported = active.some(({ includeSelfReported }) => includeSelfReported)
            ? yield* SelfReportedRepository.list({ veteranId, ...newest })
            : []
          const notes = yield* ProviderNoteRepository.list({ veteranId, providerId, ...newest })
          const documents = active.some(({ includeDocuments }) => includeDocuments)
            ? yield* DocumentRepository.listUploads({ veteranId, ...newest })
            : []
          const besides = {
            selfReportedEntries: selfReported.length,
            notes: notes.length,
            documents: documents.length
          }
          const counts = yield* HealthRecordRepository.countShown({
            veteranId,
            grantId: active[0]!.id,
            resourceTypes,
            besides,
            look
          })
          return { items, counts, selfReported, notes, documents }
        }
      )

      const view = Effect.fn("Patients.record")(
        function*(
          providerId: ProviderId,
          veteranId: VeteranId,
          query: RecordQuery,
          /** The moment of the first try, if this is another one. */
          firstAskedAt?: Date
        ): Effect.fn.Return<JsonBytes, ConsentRequired | InvalidRequest> {
          const { cursor, limit = pageLimit.default, resourceType } = query
          const active = yield* activeGrantsOf(providerId, veteranId)
          const { askedAt, callSign, fhirSyncManifest, ...grant } = active[0]!
          const at = firstAskedAt ?? askedAt
          const covered = coveredTypes(active)
          if (resourceType !== undefined && covered?.includes(resourceType) === false) {
            return yield* new ConsentRequired()
          }
          if (cursor !== undefined && resourceType === undefined) {
            return yield* InvalidRequest.at(["cursor"], "Expected resourceType beside it")
          }
          const cursorOf = (type: string) => `record|${providerId}|${veteranId}|${type}`
          const after = cursor === undefined
            ? undefined
            : (yield* paging.position(cursorOf(resourceType!), cursor))[0]
          const manifest = fromStored(fhirSyncManifest)
          const stored = onlyTypes(manifest, resourceType === undefined ? covered : [resourceType])
          const types = Object.keys(stored).sort()
          const actor = { kind: "provider", providerId, veteranId } as const
          const { proved, read } = yield* readAhead(
            actors,
            actor,
            rowsOf({
              veteranId,
              providerId,
              active,
              resourceTypes: types,
              after,
              limit,
              // A page of one type belongs to the look that began with all types.
              look: resourceType === undefined ? { at, seenUntil: newestSync(manifest) } : undefined
            })
          )
          // If a grant ended during the read, its rows are missing and the record would look empty. If a sync ended
          // meanwhile, items and states would be of different moments.
          const stillActive = yield* activeGrantsOf(providerId, veteranId)
          const unchanged = JSON.stringify(stillActive[0]!.fhirSyncManifest) === JSON.stringify(fhirSyncManifest)
          if (!unchanged || !allStand(active, stillActive)) return yield* view(providerId, veteranId, query, at)
          const itemsByType = Map.groupBy(read.items, (item) => item.resourceType)
          // All sections share the bytes of one page. If none are left, a section gets a cursor to its beginning.
          const page = pageRoom()
          const sectionOf = Effect.fnUntraced(function*(resourceType: string) {
            const rows = itemsByType.get(resourceType) ?? []
            const items = yield* healthRecord.encode(veteranId, rows.slice(0, limit), page)
            const last = rows[items.length - 1]?.fhirId ?? after ?? ""
            return {
              resourceType,
              items,
              nextCursor: rows.length > items.length ? paging.cursor(cursorOf(resourceType), [last]) : null
            }
          })
          const answer = encodeRecordView({
            veteran: { id: veteranId, callSign },
            grant,
            manifest: visibleManifest(stored, read.counts),
            sections: yield* Effect.forEach(types, sectionOf),
            selfReported: yield* written(read.selfReported, selfReported.decode),
            notes: yield* written(read.notes, notes.decode),
            documents: yield* written(read.documents, documents.decode)
          })
          yield* proved
          return answer
        }
      )

      const document = Effect.fn("Patients.document")(
        function*(providerId: ProviderId, veteranId: VeteranId, id: DocumentId) {
          return yield* documents.content({ kind: "provider", providerId, veteranId }, id).pipe(
            Effect.catchTag(
              "NotFound",
              (notFound) =>
                Effect.flatMap(activeGrantsOf(providerId, veteranId), (active) =>
                  Effect.fail(
                    active.some((grant) => grant.includeDocuments)
                      ? notFound
                      : new ConsentRequired()
                  ))
            )
          )
        }
      )

      return Patients.of({
        grant: (providerId, veteranId) => Effect.map(activeGrantsOf(providerId, veteranId), ([newest]) => newest!),
        record: (providerId, veteranId, query) => view(providerId, veteranId, query),
        document
      })
    })
  )
}

type RecordQuery = PageRequest & { readonly resourceType?: string | undefined }

interface ViewQuery {
  readonly veteranId: VeteranId
  readonly providerId: ProviderId
  readonly active: ActiveGrants
  readonly resourceTypes: ReadonlyArray<string>
  readonly after: string | undefined
  readonly limit: number
  readonly look: HealthRecordRepository.Look | undefined
}

/** The time of the newest sync, whichever types it had. */
const newestSync = (manifest: Manifest) =>
  new Date(Math.max(0, ...Object.values(manifest).map(({ lastFetchAt }) => lastFetchAt.getTime())))

/** Opens and writes rows in turns of the event loop, by the bytes of their texts. */
const written = Effect.fnUntraced(function*<Row>(
  rows: ReadonlyArray<Row>,
  decode: (row: Row) => Effect.Effect<object>
) {
  const pace = makePace()
  const texts: Array<JsonBytes> = []
  for (const row of rows) {
    const text = JsonBytes.value(yield* decode(row))
    texts.push(text)
    yield* pace(4 * text.length)
  }
  return texts
})

/** The types that any of these grants covers; null means every type. */
const coveredTypes = (grants: ReadonlyArray<Pick<ProviderGrant, "resourceTypes">>) =>
  grants.some(({ resourceTypes }) => resourceTypes === null)
    ? null
    : grants.flatMap(({ resourceTypes }) => resourceTypes ?? [])
