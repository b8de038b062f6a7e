import { Effect } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import { Conflict, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors, type ActorTransaction, asRelease, type Shown } from "../../sql/Actor.ts"
import { atEdge, maxAnswerMs } from "../../sql/Connections.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { refusedWith } from "../document/DiskErrors.ts"
import { FileStore } from "../document/FileStore.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import type { ItemPage } from "./ReleasedRecord.ts"
import type release from "./ReleaseProcess.ts"
import type { Made, Work } from "./ReleaseProcess.ts"

/** A page of items ends at so many, or at `pageBytes`. */
const pageItems = 500

/** A release that has no process by then is refused, and may be asked for again. */
const maxWait = "30 seconds"

/** The largest release takes a fourth of it on a slow machine. */
const maxWork = "2 minutes"

/** The heap holds the text of the largest resource that is read in two bytes a character, and what is read of it. */
const megabytes = 512

/** However many cores there are: each may come to take hundreds of megabytes. */
const size = 2

/** What a veteran's transaction finds out before it goes on as a release. */
export interface Opened {
  readonly work: Work
  readonly shown: Shown
  /** The types of which there is something to show. */
  readonly types: ReadonlyArray<string>
}

/**
 * Makes the files of releases in processes, which ask for the record page by page. One transaction reads it, so that what
 * `open` found out is of the same moment, and no more of them are under way than processes.
 */
export const makeReleaseProcesses = Effect.gen(function*() {
  const actors = yield* Actors
  const crypto = yield* Crypto
  const files = yield* FileStore
  const { uploadDirectory: root } = yield* Settings
  const workers = yield* makeWorkers({ kind: "releases", size, queue: 16, megabytes })

  const made = Effect.fnUntraced(function*<Found extends Opened, E>(
    veteranId: VeteranId,
    storageKeys: ReadonlyArray<string>,
    open: Effect.Effect<Found, E, ActorTransaction>
  ) {
    const keys = crypto.openingKeys({ table: "health_record_items", column: "raw_ciphertext", veteranId })
    // Nobody holds a connection while it waits for a process.
    const { ask, first } = yield* Effect.gen(function*() {
      const { ask } = yield* workers.open(releasing)
      return { ask, first: yield* ask({ veteranId, keys, root, storageKeys }) }
    }).pipe(
      Effect.timeoutOrElse({
        duration: maxWait,
        orElse: () => Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
      })
    )
    if (first !== "more") return yield* Effect.andThen(filesOf(first), unexpected)
    const { found, last } = yield* Effect.gen(function*() {
      const found = yield* open
      let last = yield* ask(found.work)
      yield* asRelease(found.shown)
      for (const resourceType of found.types) {
        let after: string | undefined
        do {
          // Too much was released, or the disk refused it.
          if (last !== "more") return { found, last }
          const rows = yield* atEdge(
            HealthRecordRepository.sections({ veteranId, resourceTypes: [resourceType], after, limit: pageItems }),
            maxAnswerMs
          )
          const page = rows.flatMap(itemOf)
          last = yield* ask(page)
          after = page.length < rows.length || rows.length === pageItems ? page.at(-1)!.fhirId : undefined
        } while (after !== undefined)
      }
      return { found, last }
    }).pipe(actors.atOneMoment({ kind: "veteran", veteranId }))
    const made = last === "more" ? yield* ask(null) : last
    return made === "more" ? yield* unexpected : { found, files: yield* filesOf(made) }
  })

  return <Found extends Opened, E>(
    veteranId: VeteranId,
    storageKeys: ReadonlyArray<string>,
    open: Effect.Effect<Found, E, ActorTransaction>
  ) =>
    Effect.scoped(made(veteranId, storageKeys, open)).pipe(
      Effect.timeoutOrElse({ duration: maxWork, orElse: () => Effect.fail(new ServiceUnavailable()) }),
      // The process has ended its work, or was killed.
      Effect.onError(() => files.abandon(storageKeys))
    )
})

const releasing = task<typeof release>(new URL("./ReleaseProcess.ts", import.meta.url))

const unexpected = Effect.die(new Error("a process left a release"))

const filesOf = (
  made: Made
): Effect.Effect<ReadonlyArray<StoredFile>, Conflict | SealBroken | ServiceUnavailable | StorageFull> => {
  if ("refused" in made) return Effect.fail(new Conflict({ message: made.refused }))
  if ("disk" in made) return refusedWith(made.disk)
  if ("broken" in made) return Effect.fail(new SealBroken())
  return made.unopened === 0
    ? Effect.succeed(made.files)
    : Effect.as(Effect.logError(`stored items that are not intact, in a release: ${made.unopened}`), made.files)
}

const itemOf = ({ fhirId, rawCiphertext, resourceType }: HealthRecordRepository.ItemRow): ItemPage =>
  rawCiphertext === null ? [] : [{ resourceType, fhirId, envelope: rawCiphertext }]
