import { Context, Effect, Layer } from "effect"
import { type Conflict, type InvalidRequest, type NotFound, orNotFound } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { Entry, EntryChange, EntryPage, NewEntry } from "../../domain/SelfReportedEntry.ts"
import { Actors } from "../../sql/Actor.ts"
import * as SelfReportedRepository from "../../sql/record/SelfReportedRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { StorageLimits } from "../platform/StorageLimits.ts"

type Row = Effect.Success<ReturnType<typeof SelfReportedRepository.insert>>

/** Entries that veterans write about their own health. The text is sealed. */
export class SelfReportedEntries extends Context.Service<SelfReportedEntries, {
  readonly list: (veteranId: VeteranId, page: PageRequest) => Effect.Effect<typeof EntryPage.Type, InvalidRequest>
  readonly create: (veteranId: VeteranId, entry: NewEntry) => Effect.Effect<Entry, Conflict>
  readonly change: (veteranId: VeteranId, id: string, change: EntryChange) => Effect.Effect<Entry, NotFound>
  readonly remove: (veteranId: VeteranId, id: string) => Effect.Effect<void, NotFound>
  readonly decode: (row: Row) => Effect.Effect<Entry>
}>()("vrss/services/record/SelfReportedEntries") {
  static readonly layer = Layer.effect(
    SelfReportedEntries,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const limits = yield* StorageLimits
      const paging = yield* Paging

      const decode = Effect.fnUntraced(function*({ bodyCiphertext, veteranId, ...row }: Row) {
        const text = yield* crypto.openText(bodyPlace(veteranId, row.id), bodyCiphertext)
        return { ...row, category: row.category as Entry["category"], text }
      })

      const list = (veteranId: VeteranId, request: PageRequest) =>
        paging.opened(
          `self-reported|${veteranId}`,
          request,
          (query) => asVeteran(veteranId)(SelfReportedRepository.list({ ...query, veteranId })),
          decode
        )

      const seal = (veteranId: VeteranId, id: string, { category, occurredOn, text }: NewEntry) => ({
        id,
        veteranId,
        category,
        bodyCiphertext: crypto.seal(bodyPlace(veteranId, id), Buffer.from(text)),
        occurredOn: occurredOn ?? null
      })

      const create = Effect.fn("SelfReportedEntries.create")(function*(veteranId: VeteranId, entry: NewEntry) {
        const row = yield* SelfReportedRepository.insert(seal(veteranId, newId(), entry)).pipe(
          Effect.tap(limits.check(veteranId, "entries")),
          asVeteran(veteranId)
        )
        return yield* decode(row)
      })

      const change = Effect.fn("SelfReportedEntries.change")(
        function*(veteranId: VeteranId, id: string, changed: EntryChange) {
          return yield* Effect.gen(function*() {
            const row = yield* orNotFound(SelfReportedRepository.findForUpdate(veteranId, id))
            const before = yield* decode(row)
            const defined = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
            const after = seal(veteranId, row.id, { ...before, ...defined })
            return yield* decode(yield* SelfReportedRepository.update(after))
          }).pipe(asVeteran(veteranId))
        }
      )

      const remove = Effect.fn("SelfReportedEntries.remove")((veteranId: VeteranId, id: string) =>
        Effect.asVoid(orNotFound(asVeteran(veteranId)(SelfReportedRepository.remove(veteranId, id))))
      )

      return SelfReportedEntries.of({ list, create, change, remove, decode })
    })
  )
}

const bodyPlace = (veteranId: VeteranId, id: string) =>
  placeOf("self_reported_entries", "body_ciphertext", veteranId, id)
