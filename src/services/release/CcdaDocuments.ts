import { Context, Effect, Layer, Option, type Scope, type Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import { Conflict, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { ActingSession, Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import { refusedWith } from "../document/DiskErrors.ts"
import { untilEnded } from "../document/EndedReading.ts"
import { FileStore } from "../document/FileStore.ts"
import { newStorageKey, type StoredFile } from "../document/SealedFile.ts"
import { Crypto } from "../platform/Crypto.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Turns } from "../platform/Turns.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import type translate from "./CcdaProcess.ts"
import type { CcdaOutcome, CcdaWork } from "./CcdaProcess.ts"

/** A document that waits longer for the process is refused. Two of the largest, of two other veterans, may pass it. */
const maxWait = "1 minute"

/** A release of 20,000 items takes a fourth of this time. */
const maxWork = "2 minutes"

/** The heap must hold the bundle, its parsed items, and the section with the most entries. */
const megabytes = 768

/** A process may take hundreds of megabytes. */
const size = 1

/** A release that is too large or too odd for the translation. The record itself can always be had. */
const untranslatable = () =>
  new Conflict({ message: "This release cannot be translated to C-CDA. Download its record as FHIR instead." })

export interface CcdaDocument {
  readonly signedAt: Date
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, NotFound | SealBroken | ServiceUnavailable>
}

/** Translates the record of a release to C-CDA, for clinics whose software reads no FHIR. */
export class CcdaDocuments extends Context.Service<CcdaDocuments, {
  /**
   * A veteran's translations run one after another, so that nobody fills the queue of the process. The content can be
   * read until the scope closes. It breaks off if the reader's access ends meanwhile.
   */
  readonly translate: (
    veteranId: VeteranId,
    id: DocumentId
  ) => Effect.Effect<
    CcdaDocument,
    Conflict | NotFound | RateLimited | SealBroken | ServiceUnavailable | StorageFull,
    Scope.Scope
  >
}>()("vrss/services/release/CcdaDocuments") {
  static readonly layer = Layer.effect(
    CcdaDocuments,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      const turns = yield* Turns
      const workers = yield* makeWorkers({ kind: "translations", size, queue: 8, megabytes })

      const made = Effect.fnUntraced(function*(work: CcdaWork) {
        const { ask } = yield* workers.open(translating).pipe(
          Effect.timeoutOrElse({
            duration: maxWait,
            orElse: () => Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
          })
        )
        // A process that runs out of memory dies. Another try would end alike.
        return yield* ask(work).pipe(
          Effect.timeoutOrElse({ duration: maxWork, orElse: () => Effect.fail(untranslatable()) }),
          Effect.catchTag("ServiceUnavailable", () => Effect.fail(untranslatable()))
        )
      }, Effect.scoped)

      const translate = Effect.fn("CcdaDocuments.translate")(function*(veteranId: VeteranId, id: DocumentId) {
        const asVeteran = actors.withActor({ kind: "veteran", veteranId })
        const found = yield* asVeteran(Effect.gen(function*() {
          const row = yield* DocumentRepository.findForReading(veteranId, id, "record")
          return Option.isNone(row)
            ? undefined
            : { row: row.value, sealed: yield* DocumentRepository.findAuthorization(veteranId, id) }
        }))
        if (found === undefined || Option.isNone(found.sealed)) return yield* new NotFound()
        const { row, sealed } = found
        const json = yield* crypto.open(placeOf("documents", "authorization_ciphertext", veteranId, id), sealed.value)
        const storageKey = newStorageKey()
        const bundle = {
          storageKey: row.recordStorageKey!,
          fileKey: yield* crypto.open(placeOf("documents", "record_file_key", veteranId, id), row.recordFileKey!),
          byteSize: row.recordByteSize!,
          sha256: row.recordSha256!
        }
        const lent = files.lend([bundle])
        const work = {
          folders: files.folders,
          storageKey,
          bundle,
          path: lent.paths[0]!,
          authorization: json.toString()
        }
        const outcome = yield* Effect.andThen(lent.fetch, made(work)).pipe(
          Effect.scoped,
          turns.inTurn(`translation ${veteranId}`),
          Effect.onError(() => files.abandon([storageKey]))
        )
        const file = yield* fileOf(outcome)
        const session = yield* ActingSession
        const still = DocumentRepository.find(veteranId, id).pipe(
          asVeteran,
          Effect.provideService(ActingSession, session),
          Effect.map((row) => row !== undefined)
        )
        return {
          signedAt: row.signedAt!,
          byteSize: file.byteSize,
          content: untilEnded(yield* files.readOnce(file), still)
        }
      })

      return CcdaDocuments.of({ translate })
    })
  )
}

const translating = task<typeof translate>(new URL("./CcdaProcess.ts", import.meta.url))

const fileOf = (
  outcome: CcdaOutcome
): Effect.Effect<StoredFile, Conflict | SealBroken | ServiceUnavailable | StorageFull> => {
  if ("tooLarge" in outcome) return Effect.fail(untranslatable())
  if ("disk" in outcome) return refusedWith(outcome.disk)
  return "broken" in outcome ? Effect.fail(new SealBroken()) : Effect.succeed(outcome.file)
}
