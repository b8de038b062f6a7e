import { Context, Deferred, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import type { StorageFull } from "../../domain/Document.ts"
import { NotFound, type SealBroken, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { exportLimits } from "../../domain/Export.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import * as ExportRepository from "../../sql/account/ExportRepository.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { ActingSession, Actors, ActorTransaction } from "../../sql/Actor.ts"
import { DatabaseTime, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import { onVeteran } from "../../sql/operation/AdminActs.ts"
import { SessionLocks } from "../../sql/platform/SessionLocks.ts"
import { DeviceSessions } from "../account/session/DeviceSessions.ts"
import { Sharings } from "../consent/Sharings.ts"
import { toDisk } from "../document/DiskErrors.ts"
import { Documents } from "../document/Documents.ts"
import { awaitEnd, falseIfUnknown } from "../document/EndedReading.ts"
import { FileStore } from "../document/FileStore.ts"
import { openScratch } from "../document/ScratchFile.ts"
import { storeFolders } from "../document/StoreFolders.ts"
import { Disclosures } from "../ledger/Disclosures.ts"
import { Proofs } from "../ledger/Proofs.ts"
import { ProviderNotes } from "../patient/ProviderNotes.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { noteAct } from "../platform/NotedActs.ts"
import { countLimited, RateLimits } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { SelfReportedEntries } from "../record/SelfReportedEntries.ts"
import { archive } from "./ExportArchive.ts"
import { exportEntries, type Openers } from "./ExportEntries.ts"
import { spool } from "./ExportSpool.ts"

/**
 * Exports that this process makes or sends at a time. Each may take the disk space of a sealed record. Veterans who
 * read slowly keep no operator waiting.
 */
const atOnce = { veteran: 8, operator: 2 }

/** The longest time of one export. A record of 1 GB needs 1.2 Mbit/s. */
const longest = "2 hours"

const betweenLooks = "1 second"

/** An archive that is being sent, and the moment as of which it was read. */
export interface Exported {
  readonly moment: Date
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable | Unauthenticated>
}

type Refused = NotFound | RateLimited | SealBroken | ServiceUnavailable | StorageFull

/** Whose export is asked for. `abort` ends the connection at once, even if the client reads nothing. */
export interface ExportRequest {
  readonly veteranId: VeteranId
  readonly abort: () => void
}

/** A copy of all that is held of a veteran, as a ZIP archive (contract, part 14.3). */
export class Exports extends Context.Service<Exports, {
  /** Needs a confirmed session. The archive breaks off, visibly, when the session ends. */
  readonly byVeteran: (
    request: ExportRequest & { readonly sessionId: string | null }
  ) => Effect.Effect<Exported, Refused | ConfirmationRequired, Scope.Scope>
  readonly byOperator: (
    request: ExportRequest & { readonly reason: string }
  ) => Effect.Effect<Exported, Refused, Scope.Scope>
}>()("vrss/services/export/Exports") {
  static readonly layer = Layer.effect(
    Exports,
    Effect.gen(function*() {
      const actors = yield* Actors
      const files = yield* FileStore
      const limits = yield* RateLimits
      const own = yield* OwnConnections
      const proofs = yield* Proofs
      const record = yield* HealthRecord
      const sessions = yield* DeviceSessions
      const { uploadDirectory } = yield* Settings
      const sessionLocks = yield* SessionLocks
      const veterans = VeteranRepository.make(yield* SharedConnections)
      const sources = {
        disclosures: yield* Disclosures,
        documents: yield* Documents,
        entries: yield* SelfReportedEntries,
        notes: yield* ProviderNotes,
        proofs,
        sharings: yield* Sharings
      }
      const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
      const running = { veteran: 0, operator: 0 }
      yield* sampleGauge("exports_running", "Exports that are made or sent", () => running.veteran + running.operator)

      const takePlace = (by: keyof typeof running) =>
        Effect.acquireRelease(
          Effect.sync(() => running[by] < atOnce[by] && ++running[by] > 0),
          (taken) => Effect.sync(() => taken && running[by]--)
        ).pipe(
          Effect.flatMap((taken) =>
            taken ? Effect.void : Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
          )
        )

      /** Over all processes a veteran has one export at a time. The lock is kept until the request's scope closes. */
      const takeTurn = Effect.fnUntraced(function*(veteranId: VeteranId) {
        const locks = yield* sessionLocks.open
        if (yield* locks.tryLock(`export ${veteranId}`)) return
        countLimited("one export at a time")
        return yield* new RateLimited({ retryAfterSeconds: 10 })
      })

      /** Opens the sealed parts while the archive is sent, after the handler and without a request's limits. */
      const openersOf = (veteranId: VeteranId): Openers => {
        return {
          item: (resourceType, { fhirId, sealed }) =>
            runPromise(
              record.open(veteranId, { resourceType, fhirId, rawCiphertext: sealed }).pipe(
                Effect.catchDefect(() => Effect.undefined)
              )
            ),
          file: (file) =>
            runPromise(
              files.read(file).pipe(
                Effect.map(Stream.toAsyncIterable),
                Effect.catchTag("SealBroken", () => Effect.undefined)
              )
            ),
          proofs: (leaves, head) => runPromise(proofs.inclusions(veteranId, leaves, head))
        }
      }

      const make = Effect.fnUntraced(function*<E>(
        { abort, veteranId }: ExportRequest,
        by: keyof typeof running,
        note: Effect.Effect<unknown, E>,
        still: Effect.Effect<boolean>
      ) {
        yield* takeTurn(veteranId)
        // A directory that is out of reach costs the veteran none of the day's exports.
        const scratch = yield* Effect.acquireRelease(
          toDisk(() => openScratch(storeFolders(uploadDirectory))),
          (scratch) => Effect.promise(scratch.close)
        )
        const counted = by === "veteran" ? veteranId : `operator ${veteranId}`
        const { perDay: permits, seconds } = exportLimits
        // A veteran who is refused takes no place from another. If there is none, the export is not counted.
        yield* ActorTransaction.use((sql) => limits.count(sql, "exports", counted, { permits, seconds })).pipe(
          Effect.andThen(takePlace(by)),
          actors.asVeteran(veteranId)
        )
        const spooled = yield* spool(sources, scratch, veteranId).pipe(
          actors.atOneMoment({ kind: "veteran", veteranId }),
          Effect.provideService(DatabaseTime, undefined)
        )
        // Nothing leaves before its proof is written.
        yield* note
        const ended = yield* Deferred.make<never, Unauthenticated>()
        yield* awaitEnd(still, betweenLooks).pipe(
          Effect.timeoutOption(longest),
          Effect.andThen(Effect.sync(() => {
            Deferred.doneUnsafe(ended, Effect.fail(new Unauthenticated()))
            abort()
          })),
          Effect.forkScoped
        )
        const zip = yield* Effect.acquireRelease(
          Effect.sync(() =>
            archive(
              finished(exportEntries(spooled, scratch, openersOf(veteranId), by === "operator"), () =>
                runPromise(falseIfUnknown(still))),
              spooled.moment
            )
          ),
          (zip) => Effect.sync(() => zip.destroy())
        )
        return { moment: spooled.moment, content: Stream.interruptWhen(contentOf(zip), Deferred.await(ended)) }
      }, freedIfRefused)

      const byVeteran: Exports["Service"]["byVeteran"] = Effect.fn("Exports.byVeteran")(function*(request) {
        const { sessionId, veteranId } = request
        if (sessionId === null) return yield* new ConfirmationRequired()
        yield* sessions.confirmation(veteranId, sessionId)
        const session = yield* ActingSession
        const note = ActorTransaction.use((sql) => ExportRepository.note(sql, veteranId, true)).pipe(
          actors.asVeteran(veteranId)
        )
        const still = session === undefined ? Effect.succeed(true) : veterans.tokenCounts(veteranId, session)
        return yield* make(request, "veteran", note, still)
      })

      const byOperator: Exports["Service"]["byOperator"] = Effect.fn("Exports.byOperator")(function*(request) {
        const { reason, veteranId } = request
        const found = Effect.map(veterans.findById(veteranId), Option.isSome)
        if (!(yield* found)) return yield* new NotFound()
        const note = onVeteran(own)(Effect.andThen(
          ExportRepository.note(own, veteranId, false),
          noteAct(own, "export_made", veteranId, reason)
        ))
        return yield* make(request, "operator", note, found)
      })

      return Exports.of({ byVeteran, byOperator })
    })
  )
}

/** A refusal frees what it took before it is answered, so that the next request may follow at once. */
const freedIfRefused = Effect.fnUntraced(function*<A, E, R>(making: Effect.Effect<A, E, R>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* making.pipe(
    Scope.provide(scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
})

/**
 * The archive has an end only if the veteran's data was there until the last file was read. Otherwise a deletion that
 * begins meanwhile would leave a valid archive without the files that it removed.
 */
const finished = async function*<Entry>(entries: AsyncIterable<Entry>, counts: () => Promise<boolean>) {
  yield* entries
  if (!(await counts())) throw new Unauthenticated()
}

/** A failure while the archive is sent breaks it off: the connection is destroyed, and the file has no valid end. */
const contentOf = (zip: AsyncIterable<Uint8Array>) => Stream.orDie(Stream.fromAsyncIterable(zip, (error) => error))
