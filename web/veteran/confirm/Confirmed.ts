import { Effect } from "effect"
import { createContext, useCallback, useContext } from "react"
import type { Problem } from "../../shared/Problem.ts"
import type { Question } from "./Question.ts"

/**
 * Makes a call of a route that is marked † (contract, 14.2). If the service wants the veteran to be confirmed, they are
 * asked in a dialog, and the call is made again. A veteran who does not want to gets `not_confirmed`.
 */
export type Confirmed = <A>(call: Effect.Effect<A, Problem>) => Effect.Effect<A, Problem>

export const QuestionContext = createContext<Question | undefined>(undefined)

export const useConfirmed = (): Confirmed => {
  const question = useContext(QuestionContext)
  if (question === undefined) throw new Error("No screen of the app is shown without the question.")
  return useCallback(
    (call) =>
      Effect.catchIf(
        call,
        ({ error }) => error === "confirmation_required",
        () => Effect.andThen(question.asked, call)
      ),
    [question]
  )
}
