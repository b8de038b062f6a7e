import { Context, Effect, Layer, Metric } from "effect"
import { type RetentionRule, retentionRules } from "../../domain/Retention.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as SessionLocks from "../../sql/platform/SessionLocks.ts"
import { sweep } from "../../sql/platform/SweepRepository.ts"
import { logTrouble } from "./Outage.ts"
import { Settings } from "./Settings.ts"

/** One statement tidies so many rows, and the next one waits a moment for the requests. */
const batch = 500

const pause = "100 millis"

const sweepable = ["grants", "links", "codes", "view sessions", "google sign-ins", "app requests", "app codes",
  "app tokens", "assertions", "minutes", "provider sessions", "rate limits", "veterans' networks", "inactive items",
  "disclosures"] as const

type Name = typeof sweepable[number]

/** Tidies what has expired out of the database, as the rules of `domain/Retention.ts` say. One process does it at a time. */
export class Sweeper extends Context.Service<Sweeper, {
  readonly rules: ReadonlyArray<RetentionRule>
  /** Answers how many rows of each there were; none while another process is at it, or where they are kept for ever. */
  readonly sweep: (...names: Array<Name>) => Effect.Effect<ReadonlyMap<Name, number>>
}>()("vrss/Sweeper") {
  static readonly layer = Layer.effect(
    Sweeper,
    Effect.gen(function*() {
      const { disclosureRetentionYears, inactiveItemDays, releaseRetentionYears } = yield* Settings
      const sql = yield* OwnConnections
      const sessionLocks = yield* SessionLocks.make(yield* SharedConnections)
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

      // Each series is there from the start, so that its first rise is seen.
      for (const name of sweepable) yield* count(name, 0)

      return Sweeper.of({
        rules,
        sweep: Effect.fn("Sweeper.sweep")(function*(...names) {
          const swept = new Map<Name, number>()
          const locks = yield* sessionLocks.open
          if (!(yield* locks.tryLock("sweep"))) return swept
          for (const name of names) {
            // What fails keeps no other from being swept.
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
