import { Context, Effect, Layer } from "effect"
import type { ConsentRequired } from "../../domain/ConsentGrant.ts"
import { InvalidRequest } from "../../domain/Errors.ts"
import type { ProviderId, VeteranId } from "../../domain/Id.ts"
import { pageLimit, type PageRequest } from "../../domain/Page.ts"
import type { RecordChanges as Answer } from "../../domain/Patient.ts"
import { Actors } from "../../sql/Actor.ts"
import * as PatientRepository from "../../sql/patient/PatientRepository.ts"
import type { Look } from "../../sql/record/HealthRecordRepository.ts"
import { Paging } from "../platform/Paging.ts"
import { activeGrants, allStand } from "./ActiveGrants.ts"

/** Tells a provider which items of a record are new or changed, as far as their grants show them. */
export class RecordChanges extends Context.Service<RecordChanges, {
  /** Without `since`, changes are told since the provider's look before the present one. */
  readonly list: (
    providerId: ProviderId,
    veteranId: VeteranId,
    query: PageRequest & { readonly since?: Date | undefined }
  ) => Effect.Effect<Answer, ConsentRequired | InvalidRequest>
}>()("vrss/services/patient/RecordChanges") {
  static readonly layer = Layer.effect(
    RecordChanges,
    Effect.gen(function*() {
      const actors = yield* Actors
      const grantsOf = yield* activeGrants
      const paging = yield* Paging

      const list: RecordChanges["Service"]["list"] = Effect.fn("RecordChanges.list")(
        function*(providerId, veteranId, query) {
          const active = yield* grantsOf(providerId, veteranId)
          const { cursor, limit = pageLimit.default } = query
          const name = `changes|${providerId}|${veteranId}`
          const [begun, resourceType, fhirId] = cursor === undefined ? [] : yield* paging.position(name, cursor)
          if (begun !== undefined && query.since !== undefined && query.since.toISOString() !== begun) {
            return yield* InvalidRequest.at(["cursor"], "Expected the cursor of a page with the same since")
          }
          const since = begun === undefined ? query.since : new Date(begun)
          const { from, rows } = yield* Effect.gen(function*() {
            const looks = yield* PatientRepository.looks(veteranId, providerId)
            const from = since === undefined ? looks.before : startOf(since, Object.values(looks))
            const rows = from === undefined ? [] : yield* PatientRepository.changes({
              veteranId,
              seenUntil: from.seenUntil,
              after: resourceType === undefined || fhirId === undefined ? undefined : { resourceType, fhirId },
              limit: limit + 1
            })
            // An answer without items shows nothing of the record.
            if (rows.length > 0) yield* PatientRepository.proveChanges(active[0]!.id, rows.slice(0, limit))
            return { from, rows }
          }).pipe(actors.withActor({ kind: "provider", providerId, veteranId }))
          if (!allStand(active, yield* grantsOf(providerId, veteranId))) {
            return yield* list(providerId, veteranId, query)
          }
          const items = rows.slice(0, limit)
          const last = items.at(-1)
          return {
            since: from?.at ?? null,
            items,
            nextCursor: from === undefined || last === undefined || rows.length <= limit
              ? null
              : paging.cursor(name, [from.at.toISOString(), last.resourceType, last.fhirId])
          }
        }
      )

      return RecordChanges.of({ list })
    })
  )
}

/** A look did not see a sync that was still running, so a look's moment stands for the syncs that it saw. */
const startOf = (since: Date, looks: ReadonlyArray<Look | undefined>): Look =>
  looks.find((look) => look?.at.getTime() === since.getTime()) ?? { at: since, seenUntil: since }
