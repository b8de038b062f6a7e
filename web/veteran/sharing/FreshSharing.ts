import { useEffect, useRef } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { listen } from "../../shared/Listen.ts"
import type { ActiveSharing } from "./ActiveSharing.ts"
import { isUnread, stepsOf } from "./LinkSteps.ts"

/** How often the list is read again, in milliseconds. */
const longest = 60_000

/** The pause while somebody may be reading a link now, and how many times it is kept. */
const shortest = 5_000

const keptFor = 24

/** The pause before the next reading. It grows after two minutes without anything new. */
export const pauseAfter = (readings: number) => Math.min(longest, shortest * 2 ** Math.max(0, readings - keptFor + 1))

/**
 * Reads the list again while the screen is open: each minute, and more often while a link is not read yet. A page that
 * is hidden asks nothing more often, and asks at once when it is seen again.
 */
export const useFreshSharing = ({ refresh, state }: Pick<ActiveSharing, "refresh" | "state">) => {
  useEffect(() => askAgain(refresh, longest), [refresh])
  const readings = useRef(0)
  const seen = useRef("")
  useEffect(() => {
    const restart = () => {
      readings.current = 0
    }
    return listen({ visibilitychange: restart }, document)
  }, [])
  // The next pause begins when an answer is here. So a slow answer is awaited, and never cut off by the next question.
  useEffect(() => {
    if (state.is !== "done") return
    const unread = state.value.filter(isUnread)
    if (unread.length === 0) return
    const marks = JSON.stringify(unread.map(({ id, steps }) => [id, stepsOf(steps!)]))
    readings.current = marks === seen.current ? readings.current + 1 : 0
    seen.current = marks
    const timer = setTimeout(
      () => document.visibilityState === "visible" && navigator.onLine ? refresh() : undefined,
      state.trouble === undefined ? pauseAfter(readings.current) : longest
    )
    return () => clearTimeout(timer)
  }, [refresh, state])
}
