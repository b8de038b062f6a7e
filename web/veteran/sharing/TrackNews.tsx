import { useEffect, useRef, useState } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { timeWords } from "../../shared/Dates.ts"
import { reachedBetween } from "./LinkSteps.ts"
import { useSharingWords } from "./Words.ts"

/** Tells a screen reader once when a link has come to its next step. Everybody else sees it in the track. */
export const TrackNews = ({ active }: { readonly active: ReadonlyArray<Sharing> }) => {
  const { track } = useSharingWords()
  const before = useRef(active)
  const [reached, setReached] = useState<ReturnType<typeof reachedBetween>>([])
  useEffect(() => {
    const found = reachedBetween(before.current, active)
    before.current = active
    if (found.length > 0) setReached(found)
  }, [active])
  return (
    <div className="spoken" role="status">
      {reached.map(({ at, link, step }) => (
        <p key={link.id + step}>{track.reached[step](link.who.name, timeWords(at))}</p>
      ))}
    </div>
  )
}
