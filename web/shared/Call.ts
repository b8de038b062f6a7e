import { Cause, Effect, Exit } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import { type Problem, problemOf } from "./Problem.ts"

/** What became of a call so far. */
export type State<A> =
  | { readonly is: "pending" }
  | { readonly is: "done"; readonly value: A }
  | { readonly is: "failed"; readonly problem: Problem }

/** Every way to fail becomes a `Problem`, a defect of the page's own too: then nothing else is known. */
const run = <A>(call: Effect.Effect<A, unknown>, then: (state: State<A>) => void) => {
  const fiber = Effect.runFork(
    Effect.catchCause(call, (cause) => Effect.flatMap(problemOf(Cause.squash(cause)), Effect.fail))
  )
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) return then({ is: "done", value: exit.value })
    if (Cause.hasInterruptsOnly(exit.cause)) return
    then({ is: "failed", problem: Cause.squash(exit.cause) as Problem })
  })
  return () => fiber.interruptUnsafe()
}

/** Reads when shown and whenever `call` is another one (memoize it), again on `again`; what is not awaited any more is given up. */
export const useRead = <A>(call: Effect.Effect<A, unknown>) => {
  const [state, setState] = useState<State<A>>({ is: "pending" })
  const stop = useRef<() => void>(undefined)
  const again = useCallback(() => {
    stop.current?.()
    setState({ is: "pending" })
    stop.current = run(call, setState)
  }, [call])
  useEffect(() => {
    again()
    return () => stop.current?.()
  }, [again])
  return { state, again }
}

/** Does something when asked to: one at a time, and no longer once the page's part is gone. */
export const useAction = () => {
  const [busy, setBusy] = useState(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const start = useCallback(
    <A>(call: Effect.Effect<A, unknown>, then: (result: Exclude<State<A>, { is: "pending" }>) => void) => {
      setBusy(true)
      stop.current = run(call, (state) => {
        setBusy(false)
        if (state.is !== "pending") then(state)
      })
    },
    []
  )
  return { busy, start }
}
