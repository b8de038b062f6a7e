import { Effect, Fiber, Queue } from "effect"
import { MessageChannel } from "node:worker_threads"
import type { StorageFull } from "../../domain/Document.ts"
import { Conflict, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors, type ActorTransaction, asRelease, type Shown } from "../../sql/Actor.ts"
import { atEdge, longestAnswer } from "../../sql/Connections.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { refusedWith } from "../document/DiskErrors.ts"
import { FileStore } from "../document/FileStore.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import type { ItemPage } from "./ReleasedRecord.ts"
import type release from "./ReleaseThread.ts"
import type { Made, Work } from "./ReleaseThread.ts"

/** A page of items ends at so many, or at `pageBytes`. */
const pageItems = 500

/** Who has no thread by then comes back later. */
const longestWait = "30 seconds"

/** The largest release takes a fourth of it on a slow machine. */
const longestWork = "2 minutes"

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
 * Makes the files of releases in threads, which ask for the record page by page. One transaction reads it, so that what
 * `open` found out is of the same moment, and no more of them are under way than threads.
 */
export const makeReleaseThreads = Effect.gen(function*() {
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
    const { port1: port, port2 } = new MessageChannel()
    const keys = crypto.openingKeys({ table: "health_record_items", column: "raw_ciphertext", veteranId })
    const thread = yield* Effect.forkScoped(
      workers.run(releasing, { veteranId, keys, root, storageKeys, port: port2 }, [port2])
    )
    const questions = yield* Queue.unbounded<null>()
    port.on("message", (question: null) => Queue.offerUnsafe(questions, question))
    yield* Effect.addFinalizer(() => Effect.sync(() => port.close()))
    /** False: the thread has ended, and says why. */
    const isAsked = Effect.raceFirst(
      Effect.as(Queue.take(questions), true),
      Effect.as(Fiber.await(thread), false)
    )
    // Nobody holds a connection while it waits for a thread.
    const begins = yield* Effect.timeoutOrElse(isAsked, {
      duration: longestWait,
      orElse: () => Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
    })
    const found = begins
      ? yield* Effect.gen(function*() {
        const found = yield* open
        port.postMessage(found.work)
        yield* asRelease(found.shown)
        for (const resourceType of found.types) {
          let after: string | undefined
          do {
            if (!(yield* isAsked)) return found
            const rows = yield* atEdge(
              HealthRecordRepository.sections({ veteranId, resourceTypes: [resourceType], after, limit: pageItems }),
              longestAnswer
            )
            const page = rows.filter(hasText)
            send(port, page)
            after = page.length < rows.length || rows.length === pageItems ? page.at(-1)!.fhirId : undefined
          } while (after !== undefined)
        }
        if (yield* isAsked) port.postMessage(null)
        return found
      }).pipe(actors.atOneMoment({ kind: "veteran", veteranId }))
      : undefined
    const written = yield* filesOf(yield* Fiber.join(thread))
    return found === undefined
      ? yield* Effect.die(new Error("a thread left a release"))
      : { found, files: written }
  })

  return <Found extends Opened, E>(
    veteranId: VeteranId,
    storageKeys: ReadonlyArray<string>,
    open: Effect.Effect<Found, E, ActorTransaction>
  ) =>
    Effect.scoped(made(veteranId, storageKeys, open)).pipe(
      Effect.timeoutOrElse({ duration: longestWork, orElse: () => Effect.fail(new ServiceUnavailable()) }),
      // The thread has ended its work, or was ended.
      Effect.onError(() => files.abandon(storageKeys))
    )
})

const releasing = task<typeof release>(new URL("./ReleaseThread.ts", import.meta.url))

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

type TextRow = HealthRecordRepository.ItemRow & { readonly rawCiphertext: Uint8Array }

const hasText = (row: HealthRecordRepository.ItemRow): row is TextRow => row.rawCiphertext !== null

/** What a row holds may share memory with other rows, so that it is copied once, into what moves. */
const send = (
  port: { postMessage: (page: ItemPage, transfer: [ArrayBuffer]) => void },
  rows: ReadonlyArray<TextRow>
) => {
  const bytes = new Uint8Array(rows.reduce((sum, { rawCiphertext }) => sum + rawCiphertext.length, 0))
  let at = 0
  const items = rows.map(({ fhirId, rawCiphertext, resourceType }) => {
    bytes.set(rawCiphertext, at)
    return { resourceType, fhirId, start: at, end: at += rawCiphertext.length }
  })
  port.postMessage({ bytes, items }, [bytes.buffer])
}
