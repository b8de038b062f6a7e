import { Effect } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { TooCostly } from "../../domain/FhirError.ts"
import { pageBytes } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { inTurns, makePace } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { asApp, type Position } from "./AppProof.ts"
import { comparePlaces, keyIn, type Order, type Place } from "./ListingOrder.ts"
import { agreeing, conditionsOf, criteriaOf, isNarrowed, type ListingPlan, requestedTypes } from "./ListingPlan.ts"
import type { Match } from "./SearchBundle.ts"
import { SmallestPlaces } from "./SmallestPlaces.ts"

/** A type with more items or bytes is not sorted: each page reads the whole type. */
export const maxSorted = { items: 20_000, bytes: 64 * 1024 * 1024 }

const rowsAtOnce = 1000

type State = Effect.Success<ReturnType<typeof GrantedItemRepository.state>>

interface SortedPlan extends ListingPlan {
  readonly order: Order
}

interface OfType {
  readonly resourceType: string
  readonly bytes: number
}

interface Found extends Place {
  readonly sealedBytes: number
}

/** Makes the function that reads a page of a search of one type in another order than that of the ids. */
export const makeSortedListing = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord

  const refuseCostly = Effect.fnUntraced(function*(app: AppSession, resourceType: string, { counts }: State) {
    if ((counts[resourceType] ?? 0) > maxSorted.items) return yield* new TooCostly()
    const bytes = yield* actors.withActor(asApp(app))(GrantedItemRepository.sealedBytes(app.veteranId, resourceType))
    if (bytes > maxSorted.bytes) return yield* new TooCostly()
  })

  /** Finds the places of the first `limit` matches after `after`, and the number of all matches of the search. */
  const search = Effect.fnUntraced(
    function*(app: AppSession, plan: SortedPlan, resourceType: string, after: Place | undefined, limit: number) {
      const { veteranId } = app
      const { listing, order } = plan
      const compare = comparePlaces(order)
      const smallest = new SmallestPlaces<Found>(limit, compare)
      const agrees = agreeing(criteriaOf(plan, resourceType))
      const keyOf = keyIn(order)
      const isOpened = order.paths !== undefined || isNarrowed(plan)
      const pace = makePace()
      let [matched, openedBytes] = [0, 0]
      let last: Position | undefined
      for (;;) {
        const rows = yield* actors.withActor(asApp(app))(GrantedItemRepository.page({
          veteranId,
          resourceTypes: [resourceType],
          ...conditionsOf(listing),
          after: last,
          limit: rowsAtOnce,
          bytes: isOpened ? pageBytes : 0
        }))
        let read = 0
        for (const { fhirId, rawCiphertext, sealedBytes, syncedAt } of rows) {
          let key: number | undefined = syncedAt.getTime()
          let agreed = true
          if (isOpened) {
            if (rawCiphertext === null) break
            const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext })
            openedBytes += bytes.length
            if (openedBytes > maxSorted.bytes) return yield* new TooCostly()
            yield* pace(bytes.length)
            agreed = yield* inTurns(agrees(bytes))
            if (agreed && order.paths !== undefined) key = yield* inTurns(keyOf(bytes))
          } else yield* pace(0)
          read++
          last = { resourceType, fhirId }
          if (!agreed) continue
          matched++
          const place = { fhirId, key, sealedBytes }
          if (after === undefined || compare(place, after) > 0) smallest.add(place)
        }
        if (read === rows.length && read < rowsAtOnce) return { matched, places: smallest.sorted() }
      }
    }
  )

  /** Opens the items at these places, in order, until the page is full. One that went away meanwhile is left out. */
  const opened = Effect.fnUntraced(
    function*(app: AppSession, { bytes, resourceType }: OfType, places: ReadonlyArray<Found>) {
      const { veteranId } = app
      const rows = places.length === 0 ? [] : yield* actors.withActor(asApp(app))(GrantedItemRepository.page({
        veteranId,
        resourceTypes: [resourceType],
        ids: places.map(({ fhirId }) => fhirId),
        stored: [],
        after: undefined,
        limit: places.length,
        bytes: Number.MAX_SAFE_INTEGER
      }))
      const sealed = new Map(rows.map(({ fhirId, rawCiphertext }) => [fhirId, rawCiphertext!]))
      const pace = makePace()
      const matches: Array<Match> = []
      let [openedBytes, last]: [number, Found | undefined] = [0, undefined]
      for (const place of places) {
        if (openedBytes >= bytes) break
        last = place
        const { fhirId } = place
        const rawCiphertext = sealed.get(fhirId)
        if (rawCiphertext === undefined) continue
        const text = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext })
        openedBytes += text.length
        yield* pace(text.length)
        matches.push({ resourceType, fhirId, bytes: text })
      }
      return { matches, last }
    }
  )

  return Effect.fnUntraced(function*(app: AppSession, plan: SortedPlan, after: Place | undefined) {
    const { listing: { count }, ofPatient, resourceTypes } = plan
    const resourceType = resourceTypes![0]!
    const state = yield* actors.withActor(asApp(app))(GrantedItemRepository.state(app.veteranId, requestedTypes(plan)))
    if (!ofPatient) return { state, matches: [], rest: undefined, total: 0 }
    yield* refuseCostly(app, resourceType, state)
    const { matched, places } = yield* search(app, plan, resourceType, after, count + 1)
    let bytes = 0
    const shown = places.slice(0, count).filter(({ sealedBytes }) => (bytes += sealedBytes) - sealedBytes < plan.bytes)
    const { last, matches } = yield* opened(app, { resourceType, bytes: plan.bytes }, shown)
    const isLast = last === places.at(-1)
    return {
      state,
      matches,
      rest: isLast ? undefined : last,
      total: !isNarrowed(plan) || (isLast && after === undefined) ? matched : undefined
    }
  })
})
