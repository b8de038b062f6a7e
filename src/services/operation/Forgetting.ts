import { Effect, Metric } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import * as DeletionRepository from "../../sql/account/DeletionRepository.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import { SessionLocks } from "../../sql/platform/SessionLocks.ts"
import { FileStore } from "../document/FileStore.ts"
import type { Job } from "../platform/Jobs.ts"
import { logTrouble } from "../platform/Outage.ts"

/** Rows that one step removes; the next step waits a moment so that requests get their turn. */
const batch = 500

const pause = "20 millis"

/** Veterans that one run takes, before it asks anew who is due. */
const veteransAtOnce = 100

/**
 * Forgets the veterans whose time has come (contract, part 14.3). One process does it at a time. Each step is one
 * transaction, so that a killed process's work is gone on with. A run returns how many were forgotten.
 */
export const forgetting = Effect.gen(function*() {
  const files = yield* FileStore
  const steps = DeletionRepository.make(yield* OwnConnections)
  const sessionLocks = yield* SessionLocks

  const forget = Effect.fnUntraced(function*(veteranId: VeteranId) {
    for (;;) {
      const step = yield* steps.forget(veteranId, batch)
      if (step._tag === "None") return 0
      // If this process ends before they are moved, the sweep of files without a row moves them.
      yield* files.discard(step.value.storageKeys)
      if (step.value.step === "end") return 1
      yield* Effect.sleep(pause)
    }
  })

  yield* Metric.update(forgotten, 0)

  const run = Effect.gen(function*() {
    const locks = yield* sessionLocks.open
    if (!(yield* locks.tryLock("forgetting"))) return 0
    let total = 0
    for (const { veteranId } of yield* steps.due(veteransAtOnce)) {
      // One who cannot be forgotten now, as while a transaction holds their row, keeps no other waiting.
      const done = yield* Effect.catchCause(
        forget(veteranId),
        (cause) => Effect.as(logTrouble(`deletion of ${veteranId}`)(cause), 0)
      )
      total += done
      yield* Metric.update(forgotten, done)
    }
    if (total > 0) yield* Effect.logInfo(`forgot ${total} veterans`)
    return total
  }).pipe(Effect.scoped, Effect.withSpan("Forgetting.run"))

  return { name: "deletion of veterans", every: "15 seconds", first: "15 seconds", run } satisfies Job
})

const forgotten = Metric.counter("veterans_forgotten_total", {
  description: "Veterans whose record and account were deleted",
  incremental: true
})
