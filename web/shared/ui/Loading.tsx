import { type ReactNode, useEffect, useState } from "react"
import { useWords } from "../language/Language.ts"

/**
 * Says that something is under way. It shows nothing at first, `children` after 400 ms, and "Still working" after 5 s.
 * A screen reader announces words only in an element that was there before. `when={false}` keeps that element empty.
 */
export const Loading = ({ children, when = true }: {
  readonly children?: ReactNode
  readonly when?: boolean
}) => <p className="soft" role="status">{when ? <Spell>{children}</Spell> : null}</p>

const Spell = ({ children }: { readonly children: ReactNode }) => {
  const words = useWords()
  const [step, setStep] = useState(0)
  useEffect(() => {
    const timers = [setTimeout(() => setStep(1), 400), setTimeout(() => setStep(2), 5_000)]
    return () => timers.forEach(clearTimeout)
  }, [])
  return [null, children ?? words.loading, words.stillWorking][step]
}
