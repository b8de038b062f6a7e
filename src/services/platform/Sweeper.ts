import { Effect, Metric } from "effect"
import { expiringRows, keptRows, retentionRules, type SweptRows } from "../../domain/Retention.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import { SessionLocks } from "../../sql/platform/SessionLocks.ts"
import { sweep } from "../../sql/platform/SweepRepository.ts"
import type { Job } from "./Jobs.ts"
import { logTrouble } from "./Outage.ts"
import { Settings } from "./Settings.ts"

/** Rows that one statement deletes or marks; the next statement waits a moment so that requests get their turn. */
const batch = 500

const pause = "100 millis"

/**
 * Returns what removes expired rows by the rules of `domain/Retention.ts`. One process does it at a time. It returns
 * the number of swept rows by name: 0 if they are kept for ever. While another process sweeps, the map is empty.
 */
export const makeSweep = Effect.gen(function*() {
  const { disclosureRetentionYears, inactiveItemDays, releaseRetentionYears } = yield* Settings
  const sql = yield* OwnConnections
  const sessionLocks = yield* SessionLocks
  const rules = retentionRules({
    INACTIVE_ITEM_DAYS: inactiveItemDays,
    RELEASE_RETENTION_YEARS: releaseRetentionYears,
    DISCLOSURE_RETENTION_YEARS: disclosureRetentionYears
  })

  const sweepAll = Effect.fnUntraced(function*(name: SweptRows) {
    const after = rules.find((rule) => rule.name === name)?.after
    if (after === undefined) return 0
    for (let total = 0;;) {
      const rows = yield* sweep(sql, name, after, batch)
      yield* count(name, rows)
      total += rows
      if (rows < batch) return total
      yield* Effect.sleep(pause)
    }
  })

  // Counters start at 0, so that monitoring sees their first increase.
  for (const name of [...expiringRows, ...keptRows]) yield* count(name, 0)

  return Effect.fn("Sweeper.sweep")(function*(names: ReadonlyArray<SweptRows>) {
    const swept = new Map<SweptRows, number>()
    const locks = yield* sessionLocks.open
    if (!(yield* locks.tryLock("sweep"))) return swept
    for (const name of names) {
      // If one sweep fails, the others still run.
      swept.set(
        name,
        yield* Effect.catchCause(sweepAll(name), (cause) => Effect.as(logTrouble(`sweep of ${name}`)(cause), 0))
      )
    }
    return swept
  }, Effect.scoped)
})

/** Delete expired rows and, only from an hour after the start, rows past their retention period. */
export const rowJobs = Effect.map(makeSweep, (sweep): ReadonlyArray<Job> => [
  { name: "sweep of what has expired", every: "10 minutes", first: "1 minute", run: sweep(expiringRows) },
  {
    name: "sweep of what was kept for its time",
    every: "1 hour",
    first: "1 hour",
    run: Effect.flatMap(sweep(keptRows), (swept) => {
      const events = swept.get("disclosures") ?? 0
      return events > 0 ? Effect.logInfo(`forgot ${events} events of the account of disclosures`) : Effect.void
    })
  }
])

const sweptRows = Metric.counter("sweep_rows_total", {
  description: "Rows that were marked as expired, or forgotten, after their time",
  incremental: true
})

const count = (what: SweptRows, rows: number) => Metric.update(Metric.withAttributes(sweptRows, { what }), rows)
