import { useEffect, useState } from "react"

/**
 * What `ask` answers (memoize it), undefined before, and if it fails. An answer that comes after the next question, or
 * after unmounting, is ignored.
 */
export const useAnswer = <A>(ask: () => Promise<A>): A | undefined => {
  const [answer, setAnswer] = useState<A>()
  useEffect(() => {
    let awaited = true
    ask().then((answer) => awaited ? setAnswer(() => answer) : undefined, () => {})
    return () => {
      awaited = false
    }
  }, [ask])
  return answer
}
