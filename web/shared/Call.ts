import { Cause, Effect, Exit } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import { type Problem, problemOf } from "./Problem.ts"

/** How a call ended. */
export type Outcome<A> =
  | { readonly is: "done"; readonly value: A }
  | { readonly is: "failed"; readonly problem: Problem }

/**
 * The state of a value that is read from the service. The old value stays while it is refreshed. `trouble` says why the
 * latest refresh failed.
 */
export type State<A> =
  | { readonly is: "pending" }
  | { readonly is: "done"; readonly value: A; readonly at: Date; readonly trouble?: Problem }
  | { readonly is: "failed"; readonly problem: Problem }

/**
 * Runs a call and reports its outcome. Every failure becomes a `Problem`, even a defect of the page itself. The
 * returned function stops the call, and then no outcome is reported.
 */
export const run = <A>(call: Effect.Effect<A, unknown>, then: (outcome: Outcome<A>) => void) => {
  let awaited = true
  const fiber = Effect.runFork(
    Effect.catchCause(call, (cause) => Effect.flatMap(problemOf(Cause.squash(cause)), Effect.fail))
  )
  fiber.addObserver((exit) => {
    if (!awaited || (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))) return
    then(
      Exit.isSuccess(exit)
        ? { is: "done", value: exit.value }
        : { is: "failed", problem: Cause.squash(exit.cause) as Problem }
    )
  })
  return () => {
    awaited = false
    fiber.interruptUnsafe()
  }
}

/**
 * Reads when mounted and whenever `call` changes (memoize it). `again` starts over; `refresh` keeps the present value
 * until a newer one arrives. Unmounting stops the call.
 */
export const useRead = <A>(call: Effect.Effect<A, unknown>) => {
  const [state, setState] = useState<State<A>>({ is: "pending" })
  const stop = useRef<() => void>(undefined)
  const read = useCallback((keep: boolean) => {
    stop.current?.()
    setState((before) => keep && before.is === "done" ? before : { is: "pending" })
    stop.current = run(call, (outcome) =>
      setState((before) =>
        outcome.is === "done"
          ? { ...outcome, at: new Date() }
          // A value that may no longer be read is not kept.
          : before.is === "done" && outcome.problem.error !== "consent_required"
          ? { ...before, trouble: outcome.problem }
          : outcome
      ))
  }, [call])
  const again = useCallback(() => read(false), [read])
  const refresh = useCallback(() => read(true), [read])
  useEffect(() => {
    again()
    return () => stop.current?.()
  }, [again])
  return { state, again, refresh }
}

/** Runs one action at a time, so that a second press does nothing. Unmounting stops the action. */
export const useAction = () => {
  const [busy, setBusy] = useState(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const start = useCallback(<A>(call: Effect.Effect<A, unknown>, then: (outcome: Outcome<A>) => void) => {
    if (stop.current !== undefined) return
    const end = () => {
      stop.current = undefined
      setBusy(false)
    }
    setBusy(true)
    let interrupt = () => {}
    stop.current = () => {
      interrupt()
      end()
    }
    interrupt = run(call, (outcome) => {
      end()
      then(outcome)
    })
  }, [])
  return { busy, start }
}
