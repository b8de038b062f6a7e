import { Context, Metric } from "effect"
import { codesOf } from "./ErrorCodes.ts"

/** PostgreSQL's classes that the service may meet; the bound keeps a strange server from making series. */
const classes = ["08", "22", "23", "25", "28", "40", "42", "53", "54", "55", "57", "58", "XX", "network", "timeout",
  "other"]

/** Each series is there from the start, so that its first rise is seen. */
const counters = new Map(classes.map((name) => {
  const counter = Metric.counter("database_errors_total", {
    description: "Failures of the database, by class of SQLSTATE (its first two characters)",
    attributes: { class: name },
    incremental: true
  })
  counter.updateUnsafe(0, Context.empty())
  return [name, counter]
}))

/** Counts a failure; without one it is a wait for the database that was given up. */
export const countError = (error?: unknown) => {
  const { errno, sqlState } = codesOf(error)
  const name = error === undefined ? "timeout" : sqlState?.slice(0, 2) ?? (errno === undefined ? "other" : "network")
  const counter = counters.get(name) ?? counters.get("other")!
  counter.updateUnsafe(1, Context.empty())
}
