import { Context, Effect, Layer } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import { Conflict, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors, type ActorTransaction, asRelease, type Shown } from "../../sql/Actor.ts"
import { atEdge, maxAnswerMs } from "../../sql/Connections.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { refusedWith } from "../document/DiskErrors.ts"
import { FileStore } from "../document/FileStore.ts"
import { Crypto } from "../platform/Crypto.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import type { ItemPage } from "./ReleasedRecord.ts"
import type release from "./ReleaseProcess.ts"
import type { ReleaseFiles, ReleaseOutcome, Work } from "./ReleaseProcess.ts"

/** A page has at most 500 items and ends at `pageBytes`. */
const pageItems = 500

/** A release that waits longer for a process is refused and may be tried again. */
const maxWait = "30 seconds"

/** The largest release takes a fourth of this time on a slow machine. */
const maxWork = "2 minutes"

/** The heap must hold the text of the largest readable resource at two bytes a character, and its parsed form. */
const megabytes = 512

/** More than the process of an ordinary release of 3,000 items has. */
const large = 260

/** Number of processes. It does not depend on the cores, because each process may take hundreds of megabytes. */
const size = 2

/** The veteran's transaction makes this plan before it continues as the actor `release`. */
export interface ReleasePlan {
  readonly work: Work
  readonly shown: Shown
  /** The types with items to show. */
  readonly types: ReadonlyArray<string>
}

const make = Effect.gen(function*() {
  const actors = yield* Actors
  const crypto = yield* Crypto
  const files = yield* FileStore
  const workers = yield* makeWorkers({ kind: "releases", size, queue: 16, megabytes, large })

  const makeFiles = Effect.fnUntraced(function*<Plan extends ReleasePlan, E>(
    veteranId: VeteranId,
    storageKeys: ReadonlyArray<string>,
    open: Effect.Effect<Plan, E, ActorTransaction>
  ) {
    const keys = crypto.openingKeys({ table: "health_record_items", column: "raw_ciphertext", veteranId })
    // Waiting for a process takes no database connection.
    const { ask, first } = yield* Effect.gen(function*() {
      const { ask } = yield* workers.open(releasing)
      return { ask, first: yield* ask({ veteranId, keys, folders: files.folders, storageKeys }) }
    }).pipe(
      Effect.timeoutOrElse({
        duration: maxWait,
        orElse: () => Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
      })
    )
    if (first !== "more") return yield* Effect.andThen(filesOf(first), unexpected)
    const { plan, last, lent } = yield* Effect.gen(function*() {
      const plan = yield* open
      const lent = files.lend("documents" in plan.work ? plan.work.documents : [])
      let last = yield* ask({ ...plan.work, paths: lent.paths })
      yield* asRelease(plan.shown)
      for (const resourceType of plan.types) {
        let after: string | undefined
        do {
          // The process ended early: the release is too large, or the disk failed.
          if (last !== "more") return { plan, last, lent }
          const rows = yield* atEdge(
            HealthRecordRepository.sections({ veteranId, resourceTypes: [resourceType], after, limit: pageItems }),
            maxAnswerMs
          )
          const page = rows.flatMap(itemOf)
          last = yield* ask(page)
          after = page.length < rows.length || rows.length === pageItems ? page.at(-1)!.fhirId : undefined
        } while (after !== undefined)
      }
      return { plan, last, lent }
    }).pipe(actors.atOneMoment({ kind: "veteran", veteranId }))
    // The documents are fetched after the transaction has ended, because a bucket may be slow.
    const outcome = last === "more" ? yield* Effect.andThen(lent.fetch, ask(null)) : last
    const made = outcome === "more" ? yield* unexpected : yield* filesOf(outcome)
    if (!("preview" in plan.work)) yield* files.keep(storageKeys)
    return { plan, ...made }
  })

  const makeFilesInTime = <Plan extends ReleasePlan, E>(
    veteranId: VeteranId,
    storageKeys: ReadonlyArray<string>,
    open: Effect.Effect<Plan, E, ActorTransaction>
  ) =>
    Effect.scoped(makeFiles(veteranId, storageKeys, open)).pipe(
      Effect.timeoutOrElse({ duration: maxWork, orElse: () => Effect.fail(new ServiceUnavailable()) }),
      // The process has finished or was killed, so it no longer writes these files.
      Effect.onError(() => files.abandon(storageKeys))
    )

  return { expect: workers.expect(releasing), makeFiles: makeFilesInTime }
})

/**
 * `makeFiles` has a worker process make the files of a release or a preview. This process requests the veteran's record
 * page by page. One transaction makes the plan (`open`) and reads the pages, so that both show the record at the same
 * moment. At most one such transaction runs for each process. `expect` has a process ready for work that comes soon.
 */
export class ReleaseProcesses extends Context.Service<ReleaseProcesses, Effect.Success<typeof make>>()(
  "vrss/services/release/ReleaseProcesses"
) {
  static readonly layer = Layer.effect(ReleaseProcesses, make)
}

/** The turn of a veteran's previews and signings. */
export const releaseTurn = (veteranId: VeteranId) => `release ${veteranId}`

const releasing = task<typeof release>(new URL("./ReleaseProcess.ts", import.meta.url))

const unexpected = Effect.die(new Error("a process left a release"))

const filesOf = (
  outcome: ReleaseOutcome
): Effect.Effect<ReleaseFiles, Conflict | SealBroken | ServiceUnavailable | StorageFull> => {
  if ("refused" in outcome) return Effect.fail(new Conflict({ message: outcome.refused }))
  if ("disk" in outcome) return refusedWith(outcome.disk)
  if ("broken" in outcome) return Effect.fail(new SealBroken())
  return outcome.unopened === 0
    ? Effect.succeed(outcome)
    : Effect.as(Effect.logError(`stored items that are not intact, in a release: ${outcome.unopened}`), outcome)
}

const itemOf = ({ fhirId, rawCiphertext, resourceType }: HealthRecordRepository.ItemRow): ItemPage =>
  rawCiphertext === null ? [] : [{ resourceType, fhirId, envelope: rawCiphertext }]
