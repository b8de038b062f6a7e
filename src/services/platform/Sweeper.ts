import { Context, Effect, Layer, Metric } from "effect"
import { type RetentionRule, retentionRules } from "../../domain/Retention.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import { SessionLocks } from "../../sql/platform/SessionLocks.ts"
import { sweep } from "../../sql/platform/SweepRepository.ts"
import { logTrouble } from "./Outage.ts"
import { Settings } from "./Settings.ts"

/** Rows that one statement deletes or marks; the next statement waits a moment so that requests get their turn. */
const batch = 500

const pause = "100 millis"

const sweepable = ["grants", "links", "codes", "view sessions", "google sign-ins", "app requests", "app codes",
  "app tokens", "assertions", "minutes", "provider sessions", "password links", "rate limits", "veterans' networks",
  "spent tokens", "pairings", "veteran sessions", "waitlist", "e-mail changes", "inactive items",
  "disclosures"] as const

type Name = typeof sweepable[number]

/** Removes expired rows by the rules of `domain/Retention.ts`. One process does it at a time. */
export class Sweeper extends Context.Service<Sweeper, {
  readonly rules: ReadonlyArray<RetentionRule>
  /** The number of swept rows by name: 0 if they are kept for ever. While another process sweeps, the map is empty. */
  readonly sweep: (...names: Array<Name>) => Effect.Effect<ReadonlyMap<Name, number>>
}>()("vrss/services/platform/Sweeper") {
  static readonly layer = Layer.effect(
    Sweeper,
    Effect.gen(function*() {
      const { disclosureRetentionYears, inactiveItemDays, releaseRetentionYears } = yield* Settings
      const sql = yield* OwnConnections
      const sessionLocks = yield* SessionLocks
      const rules = retentionRules({
        INACTIVE_ITEM_DAYS: inactiveItemDays,
        RELEASE_RETENTION_YEARS: releaseRetentionYears,
        DISCLOSURE_RETENTION_YEARS: disclosureRetentionYears
      })

      const sweepAll = Effect.fnUntraced(function*(name: Name) {
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
      for (const name of sweepable) yield* count(name, 0)

      return Sweeper.of({
        rules,
        sweep: Effect.fn("Sweeper.sweep")(function*(...names) {
          const swept = new Map<Name, number>()
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
    })
  )
}

const sweptRows = Metric.counter("sweep_rows_total", {
  description: "Rows that were marked as expired, or forgotten, after their time",
  incremental: true
})

const count = (what: Name, rows: number) => Metric.update(Metric.withAttributes(sweptRows, { what }), rows)
