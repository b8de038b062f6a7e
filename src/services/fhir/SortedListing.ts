import { Effect, Fiber } from "effect"
import { hash } from "node:crypto"
import type { AppSession } from "../../domain/AppSession.ts"
import { TooCostly } from "../../domain/FhirError.ts"
import { pageBytes } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { inTurns, makePace } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { asApp, type Position } from "./AppProof.ts"
import type { Criterion } from "./Criterion.ts"
import { KeptOrders } from "./KeptOrders.ts"
import { comparePlaces, dateIn, type Order, type Place } from "./ListingOrder.ts"
import { conditionsOf, criteriaOf, isNarrowed, type ListingPlan, requestedTypes } from "./ListingPlan.ts"
import { matcherOf } from "./Matcher.ts"
import { readMembers } from "./ReadMembers.ts"
import type { Match } from "./SearchBundle.ts"
import { searchedNames } from "./SearchParameters.ts"
import { indexAfter, sortedPlaces } from "./SortedPlaces.ts"

/** A type with more items or bytes is not sorted: to find its order, the whole type is read. */
export const maxSorted = { items: 20_000, bytes: 64 * 1024 * 1024 }

/** Decoding more rows in one step would hold the event loop. */
const rowsAtOnce = 500

/** Two lists of rows are held at a time: of one the items are opened, and the other is being read. */
const rowBytes = pageBytes / 2

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

/**
 * Returns a function that finds, step by step, the key of an item that meets all criteria: its date, or the time of its
 * storage. The item is parsed once for all of it. If it does not match, the result is undefined.
 */
const keyAmong = (criteria: ReadonlyArray<Criterion>, { descending, paths }: Order) => {
  const matcher = matcherOf(criteria)
  const date = dateIn({ descending, paths })
  const names = searchedNames(criteria.map(({ parameter }) => parameter)).union(date.names)
  return function*(bytes: Uint8Array, stored: number | undefined): Generator<void, Pick<Place, "key"> | undefined> {
    const resource = yield* readMembers(bytes, names)
    if (!(yield* matcher(resource))) return undefined
    return { key: paths === undefined ? stored : yield* date.keyOf(resource) }
  }
}

/**
 * Names all that an order depends on: the search, what the token and its grant allow, and the state of the record. Each
 * sync changes the manifest, so no order is used after a sync.
 */
const keyOfOrder = (app: AppSession, { listing, path }: SortedPlan, { counts, fhirSyncManifest }: State) => {
  const { grantId, scopes, sensitiveCategories } = app
  const all = [grantId, scopes, sensitiveCategories, path, listing.understood, counts, fhirSyncManifest]
  return hash("sha256", JSON.stringify(all), "base64url")
}

/** Makes the function that reads a page of a search of one type in another order than that of the ids. */
export const makeSortedListing = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord
  const kept = new KeptOrders<Found>()

  const stateOf = (app: AppSession, plan: SortedPlan) =>
    actors.withActor(asApp(app))(GrantedItemRepository.state(app.veteranId, requestedTypes(plan)))

  const refuseCostly = Effect.fnUntraced(function*(app: AppSession, resourceType: string, { counts }: State) {
    if ((counts[resourceType] ?? 0) > maxSorted.items) return yield* new TooCostly()
    const bytes = yield* actors.withActor(asApp(app))(GrantedItemRepository.sealedBytes(app.veteranId, resourceType))
    if (bytes > maxSorted.bytes) return yield* new TooCostly()
  })

  /** Finds the places of all matches, in order. */
  const search = Effect.fnUntraced(
    function*(app: AppSession, plan: SortedPlan, resourceType: string) {
      const { veteranId } = app
      const { listing, order } = plan
      const places: Array<Found> = []
      const keyOf = keyAmong(criteriaOf(plan, resourceType), order)
      const isOpened = order.paths !== undefined || isNarrowed(plan)
      const pace = makePace()
      let openedBytes = 0
      const readRows = (last: Position | undefined) =>
        GrantedItemRepository.page({
          veteranId,
          resourceTypes: [resourceType],
          ...conditionsOf(listing),
          after: last,
          limit: rowsAtOnce,
          bytes: isOpened ? rowBytes : 0
        }).pipe(actors.withActor(asApp(app)), Effect.forkChild)
      let reading = yield* readRows(undefined)
      for (;;) {
        const rows = yield* Fiber.join(reading)
        const read = isOpened ? rows.filter(({ rawCiphertext }) => rawCiphertext !== null) : rows
        const isEnd = read.length === rows.length && rows.length < rowsAtOnce
        // The database reads the next rows while these are opened.
        if (!isEnd) reading = yield* readRows({ resourceType, fhirId: read.at(-1)!.fhirId })
        for (const { fhirId, rawCiphertext, sealedBytes, syncedAt } of read) {
          let found: Found | undefined = { fhirId, key: syncedAt.getTime(), sealedBytes }
          if (isOpened) {
            const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: rawCiphertext! })
            openedBytes += bytes.length
            if (openedBytes > maxSorted.bytes) return yield* new TooCostly()
            yield* pace(bytes.length)
            const agreed = yield* inTurns(keyOf(bytes, found.key))
            found = agreed && { ...found, ...agreed }
          } else yield* pace(0)
          if (found !== undefined) places.push(found)
        }
        if (isEnd) return yield* inTurns(sortedPlaces(places, comparePlaces(order)))
      }
    }
  )

  /** Takes the order that was kept for the page before, or finds it and keeps it for the next. */
  const orderOf = Effect.fnUntraced(
    function*(app: AppSession, plan: SortedPlan, resourceType: string, state: State) {
      const key = keyOfOrder(app, plan, state)
      const before = kept.get(key)
      if (before !== undefined) return before
      yield* refuseCostly(app, resourceType, state)
      const places = yield* search(app, plan, resourceType)
      // If a sync was stored meanwhile, some of the places are older than others.
      if (places.length > plan.listing.count && keyOfOrder(app, plan, yield* stateOf(app, plan)) === key) {
        kept.keep(app.veteranId, key, places)
      }
      return places
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
    const { listing: { count }, ofPatient, order, resourceTypes } = plan
    const resourceType = resourceTypes![0]!
    const state = yield* stateOf(app, plan)
    if (!ofPatient) return { state, matches: [], rest: undefined, total: 0 }
    const places = yield* orderOf(app, plan, resourceType, state)
    const from = after === undefined ? 0 : indexAfter<Place, Found>(places, after, comparePlaces(order))
    let bytes = 0
    const shown = places.slice(from, from + count)
      .filter(({ sealedBytes }) => (bytes += sealedBytes) - sealedBytes < plan.bytes)
    const { last, matches } = yield* opened(app, { resourceType, bytes: plan.bytes }, shown)
    const isLast = last === undefined || last === places.at(-1)
    return {
      state,
      matches,
      rest: isLast ? undefined : last,
      total: !isNarrowed(plan) || (isLast && after === undefined) ? places.length : undefined
    }
  })
})
