import type { Effect } from "effect"
import { useCallback, useState } from "react"
import { useAction } from "./Call.ts"
import { useOffReason } from "./Online.ts"
import type { Problem } from "./Problem.ts"

/**
 * Sends one request at a time. `problem` says why the latest one failed, until the next one is sent. `off` says why
 * nothing can be sent now. A component that has another answer to a failure gives `onFailed`, and then `setProblem` is
 * its own to call.
 */
export const useSending = (first?: Problem) => {
  const { busy, start } = useAction()
  const [problem, setProblem] = useState(first)
  const off = useOffReason()
  const send = useCallback(<A>(
    call: Effect.Effect<A, unknown>,
    onDone: (value: A) => void,
    onFailed: (problem: Problem) => void = setProblem
  ) => {
    setProblem(undefined)
    start(call, (outcome) => outcome.is === "done" ? onDone(outcome.value) : onFailed(outcome.problem))
  }, [start])
  return { busy, off, problem, send, setProblem }
}
