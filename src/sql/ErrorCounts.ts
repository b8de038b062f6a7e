import { Context, Metric } from "effect"
import { codesOf } from "./ErrorCodes.ts"

/** SQLSTATE classes that the service may meet. The list is fixed, so that no server can add series to the metric. */
const classes = ["08", "22", "23", "25", "28", "40", "42", "53", "54", "55", "57", "58", "XX", "network", "timeout",
  "other"]

/** Every series exists from the start, so that its first increase is visible. */
const counters = new Map(classes.map((name) => {
  const counter = Metric.counter("database_errors_total", {
    description: "Failures of the database, by class of SQLSTATE (its first two characters)",
    attributes: { class: name },
    incremental: true
  })
  counter.updateUnsafe(0, Context.empty())
  return [name, counter]
}))

/** Counts a failure. Without an argument it counts a wait for the database that timed out. */
export const countError = (error?: unknown) => {
  const { errno, sqlState } = codesOf(error)
  const name = error === undefined ? "timeout" : sqlState?.slice(0, 2) ?? (errno === undefined ? "other" : "network")
  const counter = counters.get(name) ?? counters.get("other")!
  counter.updateUnsafe(1, Context.empty())
}
