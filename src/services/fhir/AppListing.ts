import { Effect } from "effect"
import { alerts } from "../../domain/Alert.ts"
import type { AppSession } from "../../domain/AppSession.ts"
import { InvalidRequest, type Unauthenticated } from "../../domain/Errors.ts"
import type { TooCostly } from "../../domain/FhirError.ts"
import { Actors } from "../../sql/Actor.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import { Paging } from "../platform/Paging.ts"
import { Settings } from "../platform/Settings.ts"
import type { JsonBytes } from "../record/JsonBytes.ts"
import { onlyTypes, visibleManifest } from "../record/VisibleManifest.ts"
import { asApp, prove, shownOf } from "./AppProof.ts"
import { makeIncludedItems } from "./IncludedItems.ts"
import { type ListingPlan, requestedTypes } from "./ListingPlan.ts"
import { makeMadePatient } from "./MadePatient.ts"
import { searchBundle } from "./SearchBundle.ts"
import { makeSortedListing } from "./SortedListing.ts"
import { makeStoredListing } from "./StoredListing.ts"

/** Makes the function that answers an app's search with a Bundle of one page. */
export const makeAppListing = Effect.gen(function*() {
  const actors = yield* Actors
  const paging = yield* Paging
  const { fhirBase } = yield* Settings
  const stored = yield* makeStoredListing
  const sorted = yield* makeSortedListing
  const madePatient = yield* makeMadePatient
  const includedItems = yield* makeIncludedItems

  /** Reads the page that begins after a cursor's position, in the search's own order or in that of types and ids. */
  const pageAfter = Effect.fnUntraced(
    function*(app: AppSession, plan: ListingPlan, position: ReadonlyArray<string> | undefined) {
      const [first = "", fhirId = ""] = position ?? []
      const { listing: { count }, order } = plan
      if (order === undefined || count === 0) {
        const after = position && { resourceType: first, fhirId }
        const { rest, ...page } = yield* stored(app, plan, after)
        return { ...page, rest: rest && [rest.resourceType, rest.fhirId] }
      }
      const after = position && { key: first === "" ? undefined : Number(first), fhirId }
      const { rest, ...page } = yield* sorted(app, { ...plan, order }, after)
      return { ...page, rest: rest && [`${rest.key ?? ""}`, rest.fhirId], proved: Effect.void, isProved: false }
    }
  )

  const page = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan) {
    const { allowed, includes, isEverything, listing: { count, cursor, ignored, understood }, ofPatient, path } = plan
    const query = new URLSearchParams(understood.map(([name, value]) => [name, value])).toString()
    const list = `fhir|${app.grantId}|${path}|${query}`
    const position = cursor === undefined ? undefined : yield* Effect.mapError(
      paging.position(list, cursor),
      () => InvalidRequest.at(["_cursor"], "Expected that of the link 'next' of this search's page before")
    )
    const { isProved, proved, state, ...found } = yield* pageAfter(app, plan, position)
    const made = yield* madePatient(app, plan, state)
    const [first, answer] = isEverything ? [made, undefined] : [undefined, made]
    const matches = answer === undefined || count === 0 ? found.matches : [answer]
    const included = yield* includedItems(app, includes, matches)
    const manifest = fromStored(state.fhirSyncManifest)
    const types = requestedTypes(plan) ?? Object.keys(manifest).filter((type) => allowed(type) !== undefined)
    const visible = visibleManifest(onlyTypes(manifest, types), new Map(Object.entries(state.counts)))
    const address = (cursor: string | undefined) => {
      const text = [query, ...cursor === undefined ? [] : [`_cursor=${cursor}`]].filter((part) => part !== "").join("&")
      return `${fhirBase}/${path}${text === "" ? "" : `?${text}`}`
    }
    const bundle = searchBundle({
      fhirBase,
      total: answer === undefined ? found.total : 1,
      first,
      matches,
      included,
      self: address(cursor),
      next: found.rest && address(paging.cursor(list, found.rest)),
      alerts: position === undefined && count > 0 && ofPatient ? alerts(visible) : [],
      ignored
    })
    yield* proved
    if (!isProved) {
      const shown = shownOf(requestedTypes(plan), [...first === undefined ? [] : [first], ...matches,
        ...included.items])
      const before = position === undefined ? state.fhirSyncManifest : undefined
      yield* actors.withActor(asApp(app))(prove(app, shown, before))
    }
    return bundle
  })

  const list = (
    app: AppSession,
    plan: ListingPlan
  ): Effect.Effect<JsonBytes, InvalidRequest | TooCostly | Unauthenticated> =>
    Effect.catchTag(page(app, plan), "RecordChanged", () => list(app, plan))

  return list
})
