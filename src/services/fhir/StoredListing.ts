import { Effect } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import type { Unauthenticated } from "../../domain/Errors.ts"
import { pageBytes } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { readAhead } from "../../sql/ReadAhead.ts"
import { isCompressed } from "../platform/Envelope.ts"
import { inTurns, makePace } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { asApp, type Position, prove, type RecordChanged, shownOf } from "./AppProof.ts"
import { conditionsOf, criteriaOf, isNarrowed, itemMatcher, type ListingPlan, requestedTypes } from "./ListingPlan.ts"
import { lacksPatient } from "./MadePatient.ts"
import type { Match } from "./SearchBundle.ts"

/** If items must be decrypted to find the matches, a page ends after this number of decrypted bytes. */
const maxOpenedBytes = 32 * 1024 * 1024

/** Number of rows that are read at a time if items must be decrypted to find the matches. */
const rowsAtOnce = 500

export interface ListedPage {
  readonly matches: ReadonlyArray<Match>
  /** The item after which the next page begins, or undefined on the last page. */
  readonly rest: Position | undefined
  readonly total: number | undefined
  readonly state: Effect.Success<ReturnType<typeof GrantedItemRepository.state>>
  /** Completes when the page's own transaction has ended. */
  readonly proved: Effect.Effect<void, Unauthenticated | RecordChanged>
  /** Whether that transaction writes the answer's row of `proofs`. */
  readonly isProved: boolean
}

/** Makes the function that reads a page of a list in the order of types and ids. */
export const makeStoredListing = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord

  const typesOf = ({ allowed, ofPatient, resourceTypes }: ListingPlan, { counts }: ListedPage["state"]) =>
    (ofPatient ? resourceTypes ?? Object.keys(counts) : [])
      .filter((type) => allowed(type) !== undefined && counts[type] !== undefined).toSorted()

  /** Answers a search whose matches are found without decryption. Decrypts them while the transaction commits. */
  const asStored = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan, after: Position | undefined) {
    const { veteranId } = app
    const { count } = plan.listing
    const { proved, read } = yield* readAhead(
      actors,
      asApp(app),
      Effect.gen(function*() {
        const state = yield* GrantedItemRepository.state(veteranId, requestedTypes(plan))
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
      (found) =>
        isProvedAtOnce(plan, found)
          ? prove(
            app,
            shownOf(requestedTypes(plan), found.shown),
            after === undefined ? found.state.fhirSyncManifest : undefined
          )
          : Effect.void
    )
    const { rows, shown, state, total } = read
    const pace = makePace()
    const matches: Array<Match> = []
    let openedBytes = 0
    for (const { fhirId, rawCiphertext, resourceType } of shown) {
      // The query bounds the sealed bytes. Compressed texts may have far more.
      if (openedBytes >= plan.bytes) break
      const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: rawCiphertext! })
      openedBytes += bytes.length
      yield* pace(bytes.length)
      matches.push({ resourceType, fhirId, bytes })
    }
    const rest = rows.length > matches.length && count > 0 ? matches.at(-1) : undefined
    return { state, total, matches, rest, proved, isProved: isProvedAtOnce(plan, read) } satisfies ListedPage
  })

  /** Finds matches by decryption, until the page is full, no item remains, or `maxOpenedBytes` are decrypted. */
  const narrowed = Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan, after: Position | undefined) {
    const { veteranId } = app
    const { count } = plan.listing
    const state = yield* actors.withActor(asApp(app))(GrantedItemRepository.state(veteranId, requestedTypes(plan)))
    const resourceTypes = typesOf(plan, state)
    const agrees = new Map(resourceTypes.map((type) => [type, itemMatcher(criteriaOf(plan, type))]))
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
      proved: Effect.void,
      isProved: false
    } satisfies ListedPage
  })

  return (app: AppSession, plan: ListingPlan, after: Position | undefined) =>
    (isNarrowed(plan) ? narrowed : asStored)(app, plan, after)
})

/** Whether it is known, before the matches are opened, that the page shows all of them and nothing beside them. */
const isProvedAtOnce = (plan: ListingPlan, { shown, state }: {
  readonly shown: ReadonlyArray<GrantedItemRepository.GrantedItemRow>
  readonly state: ListedPage["state"]
}) =>
  plan.includes.length === 0 && !lacksPatient(plan, state) &&
  !shown.some(({ rawCiphertext }) => isCompressed(rawCiphertext!))
