import { Data, Effect } from "effect"
import { alerts } from "../../domain/Alert.ts"
import type { AppSession } from "../../domain/AppSession.ts"
import { InvalidRequest, Unauthenticated } from "../../domain/Errors.ts"
import { pageBytes } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { readAhead } from "../../sql/ReadAhead.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import { inTurns, makePace } from "../platform/Pace.ts"
import { Paging } from "../platform/Paging.ts"
import { Settings } from "../platform/Settings.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import type { JsonBytes } from "../record/JsonBytes.ts"
import { onlyTypes, visibleManifest } from "../record/VisibleManifest.ts"
import { agreeing, conditionsOf, criteriaOf, isNarrowed, type ListingPlan } from "./ListingPlan.ts"
import { type Match, searchBundle } from "./SearchBundle.ts"

/** If items must be decrypted to find the matches, a page ends after this number of decrypted bytes. */
const maxOpenedBytes = 32 * 1024 * 1024

/** Number of rows that are read at a time if items must be decrypted to find the matches. */
const rowsAtOnce = 1000

/** A sync finished during the read, so the items and the manifest may be from different moments. */
class RecordChanged extends Data.TaggedError("RecordChanged")<{}> {}

interface Position {
  readonly resourceType: string
  readonly fhirId: string
}

interface ListedPage {
  readonly matches: ReadonlyArray<Match>
  /** The item after which the next page begins, or undefined on the last page. */
  readonly rest: Position | undefined
  readonly total: number | undefined
  readonly state: Effect.Success<ReturnType<typeof GrantedItemRepository.state>>
  /** Completes when `proofs` has a row about the answer. */
  readonly proved: Effect.Effect<void, Unauthenticated | RecordChanged>
}

/** Records in `proofs` what an answer shows. Fails if the grant has ended or the manifest differs from `before`. */
export const prove = Effect.fnUntraced(
  function*({ veteranId }: AppSession, types: Readonly<Record<string, number>>, before?: unknown) {
    const { active, fhirSyncManifest } = yield* GrantedItemRepository.prove(veteranId, types)
    if (!active) return yield* new Unauthenticated()
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(fhirSyncManifest)) {
      return yield* new RecordChanged()
    }
  }
)

export const asApp = ({ grantId, veteranId }: AppSession) => ({ kind: "app", grantId, veteranId }) as const

/** Makes the function that answers an app's search with a Bundle of one page. */
export const makeAppListing = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord
  const paging = yield* Paging
  const { fhirBase } = yield* Settings

  const typesOf = ({ allowed, ofPatient }: ListingPlan, { counts }: ListedPage["state"]) =>
    ofPatient ? Object.keys(counts).filter((type) => allowed(type) !== undefined).sort() : []

  /** Answers a search whose matches are found without decryption. Decrypts them while the transaction commits. */
  const asStored = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan, after: Position | undefined) {
    const { veteranId } = app
    const { count } = plan.listing
    const { proved, read: { rows, shown, ...found } } = yield* readAhead(
      actors,
      asApp(app),
      Effect.gen(function*() {
        const state = yield* GrantedItemRepository.state(veteranId, plan.resourceTypes)
        const resourceTypes = typesOf(plan, state)
        const conditions = conditionsOf(plan.listing)
        const total = conditions.ids === undefined && conditions.stored.length === 0
          ? resourceTypes.reduce((sum, type) => sum + state.counts[type]!, 0)
          : (yield* GrantedItemRepository.count({ veteranId, resourceTypes, ...conditions })).items
        const rows = count === 0 ? [] : yield* GrantedItemRepository.page({
          veteranId,
          resourceTypes,
          ...conditions,
          after,
          limit: count + 1,
          bytes: plan.bytes
        })
        return { state, total, rows, shown: rows.slice(0, count).filter(({ rawCiphertext }) => rawCiphertext !== null) }
      }),
      ({ shown, state }) => prove(app, shownOf(plan, shown), after === undefined ? state.fhirSyncManifest : undefined)
    )
    const pace = makePace()
    const matches: Array<Match> = []
    for (const { fhirId, rawCiphertext, resourceType } of shown) {
      const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: rawCiphertext! })
      yield* pace(bytes.length)
      matches.push({ resourceType, fhirId, bytes })
    }
    const rest = rows.length > shown.length && count > 0 ? shown.at(-1) : undefined
    return { ...found, matches, rest, proved } satisfies ListedPage
  })

  /** Finds matches by decryption, until the page is full, no item remains, or `maxOpenedBytes` are decrypted. */
  const narrowed = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan, after: Position | undefined) {
    const { veteranId } = app
    const { count } = plan.listing
    const state = yield* actors.withActor(asApp(app))(GrantedItemRepository.state(veteranId, plan.resourceTypes))
    const resourceTypes = typesOf(plan, state)
    const agrees = new Map(resourceTypes.map((type) => [type, agreeing(criteriaOf(plan, type))]))
    const pace = makePace()
    const matches: Array<Match> = []
    let [total, openedBytes, matchedBytes, last] = [0, 0, 0, after]

    const readRows = Effect.fnUntraced(function*() {
      const rows = yield* actors.withActor(asApp(app))(GrantedItemRepository.page({
        veteranId,
        resourceTypes,
        ...conditionsOf(plan.listing),
        after: last,
        limit: rowsAtOnce,
        bytes: pageBytes
      }))
      for (const { fhirId, rawCiphertext, resourceType } of rows) {
        if (openedBytes >= maxOpenedBytes) return "full"
        if (rawCiphertext === null) return "more"
        const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext })
        openedBytes += bytes.length
        yield* pace(bytes.length)
        if (yield* inTurns(agrees.get(resourceType)!(bytes))) {
          if (count > 0 && (matches.length === count || matchedBytes >= plan.bytes)) return "full"
          total++
          matchedBytes += bytes.length
          if (count > 0) matches.push({ resourceType, fhirId, bytes })
        }
        last = { resourceType, fhirId }
      }
      return rows.length < rowsAtOnce ? "end" : "more"
    })

    let progress = yield* readRows()
    while (progress === "more") progress = yield* readRows()
    const isEnd = progress === "end"
    return {
      state,
      matches,
      rest: isEnd || count === 0 ? undefined : last,
      total: isEnd && after === undefined ? total : undefined,
      proved: actors.withActor(asApp(app))(
        prove(app, shownOf(plan, matches), after === undefined ? state.fhirSyncManifest : undefined)
      )
    } satisfies ListedPage
  })

  const page = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan) {
    const { allowed, listing: { count, cursor, ignored, understood }, ofPatient, path, resourceTypes } = plan
    const query = new URLSearchParams(understood.map(([name, value]) => [name, value])).toString()
    const list = `fhir|${app.grantId}|${path}|${query}`
    const [resourceType = "", fhirId = ""] = cursor === undefined ? [] : yield* Effect.mapError(
      paging.position(list, cursor),
      () => InvalidRequest.at(["_cursor"], "Expected that of the link 'next' of this search's page before")
    )
    const after = cursor === undefined ? undefined : { resourceType, fhirId }
    const { matches, proved, rest, state, total } = yield* (isNarrowed(plan) ? narrowed : asStored)(app, plan, after)
    const manifest = fromStored(state.fhirSyncManifest)
    const types = (resourceTypes ?? Object.keys(manifest)).filter((type) => allowed(type) !== undefined)
    const visible = visibleManifest(onlyTypes(manifest, types), new Map(Object.entries(state.counts)))
    const address = (cursor: string | undefined) => {
      const text = [query, ...cursor === undefined ? [] : [`_cursor=${cursor}`]].filter((part) => part !== "").join("&")
      return `${fhirBase}/${path}${text === "" ? "" : `?${text}`}`
    }
    const bundle = searchBundle({
      fhirBase,
      total,
      matches,
      self: address(cursor),
      next: rest && address(paging.cursor(list, [rest.resourceType, rest.fhirId])),
      alerts: after === undefined && count > 0 && ofPatient ? alerts(visible) : [],
      ignored
    })
    yield* proved
    return bundle
  })

  const list = (app: AppSession, plan: ListingPlan): Effect.Effect<JsonBytes, InvalidRequest | Unauthenticated> =>
    Effect.catchTag(page(app, plan), "RecordChanged", () => list(app, plan))

  return list
})

/** The number of items of each type in an answer, with 0 for each requested type without items. */
const shownOf = ({ resourceTypes }: ListingPlan, shown: ReadonlyArray<Position>) => {
  const types = Map.groupBy(shown, ({ resourceType }) => resourceType)
  return {
    ...Object.fromEntries((resourceTypes ?? []).map((type) => [type, 0])),
    ...Object.fromEntries(Array.from(types, ([type, { length }]) => [type, length]))
  }
}
