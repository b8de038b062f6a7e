import { Deferred, Effect } from "effect"
import { Problem } from "../../shared/Problem.ts"

/** The question whether it is the veteran. All calls that wait for it in a window share one. */
export const makeQuestion = () => {
  const listeners = new Set<() => void>()
  let answer: Deferred.Deferred<void, Problem> | undefined
  let waiting = 0

  const become = (next: typeof answer) => {
    answer = next
    listeners.forEach((changed) => changed())
  }

  const settle = (outcome: Effect.Effect<void, Problem>) => {
    const asked = answer
    if (asked === undefined) return
    become(undefined)
    Deferred.doneUnsafe(asked, outcome)
  }

  return {
    isOpen: () => answer !== undefined,
    subscribe: (changed: () => void) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    /** Waits until it is answered. If nobody waits any more, the question is taken back. */
    asked: Effect.suspend(() => {
      if (answer === undefined) become(Deferred.makeUnsafe())
      waiting++
      return Effect.ensuring(
        Deferred.await(answer!),
        Effect.sync(() => {
          if (--waiting === 0) settle(Effect.interrupt)
        })
      )
    }),
    confirm: () => settle(Effect.void),
    cancel: () => settle(Effect.fail(Problem.make({ error: "not_confirmed" })))
  }
}

export type Question = ReturnType<typeof makeQuestion>
