import { Context, Metric } from "effect"
import { codesOf } from "./ErrorCodes.ts"

/** PostgreSQL's classes that a service meets; each has a series from the start, so that its rise from 0 is seen. */
const classes = ["08", "22", "23", "25", "28", "40", "42", "53", "54", "55", "57", "58", "XX", "network", "timeout",
  "other"]

const counters = new Map(classes.map((name) => [
  name,
  Metric.counter("database_errors_total", {
    description: "Failures of the database, by class of SQLSTATE (its first two characters)",
    attributes: { class: name },
    incremental: true
  })
]))

/** Counts a failure; without one it is a wait for the database that was given up. */
export const countError = (error?: unknown) => {
  const { errno, sqlState } = codesOf(error)
  const name = error === undefined ? "timeout" : sqlState?.slice(0, 2) ?? (errno === undefined ? "other" : "network")
  const counter = counters.get(name) ?? counters.get("other")!
  counter.updateUnsafe(1, Context.empty())
}

/** Shows the series that nothing has counted yet. */
export const showErrors = () => counters.forEach((counter) => counter.updateUnsafe(0, Context.empty()))
