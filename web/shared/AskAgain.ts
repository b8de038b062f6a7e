import type { Effect } from "effect"
import { type Outcome, run } from "./Call.ts"
import { listen } from "./Listen.ts"

/**
 * Calls `ask` repeatedly, and immediately when the page is visible or online again, because its content may then be
 * outdated. Returns a function that stops the calls.
 */
export const askAgain = (ask: () => void, milliseconds: number) => {
  const askSeen = () => document.visibilityState === "visible" ? ask() : undefined
  const timer = setInterval(ask, milliseconds)
  const stops = [listen({ visibilitychange: askSeen }, document), listen({ online: ask })]
  return () => {
    clearInterval(timer)
    stops.forEach((stop) => stop())
  }
}

/**
 * Runs what `ask` answers now, and again at each of these times. A newer run ends an older one without an outcome.
 * Returns a function that stops it.
 */
export const runAgain = <A>(
  ask: () => Effect.Effect<A, unknown>,
  then: (outcome: Outcome<A>) => void,
  milliseconds: number
) => {
  let end = () => {}
  const repeat = () => {
    end()
    end = run(ask(), then)
  }
  repeat()
  const endAsking = askAgain(repeat, milliseconds)
  return () => {
    endAsking()
    end()
  }
}
