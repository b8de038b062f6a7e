import { useCallback, useEffect, useState } from "react"
import { listen } from "../../shared/Listen.ts"

/** The step of an act. Each step has an entry in the browser's history, so that its Back goes one step back. */
export const useSteps = <Step extends number>(first: Step) => {
  const [step, setStep] = useState(first)
  useEffect(() => {
    const moved = ({ state }: PopStateEvent) => setStep(Object(state).step ?? first)
    return listen({ popstate: moved })
  }, [first])
  const move = useCallback((to: Step) => {
    history.pushState({ step: to }, "")
    setStep(to)
  }, [])
  return { move, setStep, step }
}

/** What a step gets: the draft, a way to change it, the way on and the way back. */
export interface StepProps<Draft> {
  readonly draft: Draft
  readonly change: (changes: Partial<Draft>) => void
  readonly onNext: () => void
  readonly onBack: () => void
}
