/**
 * Asks again and again, and at once when the page is looked at again or connected again: what is on the screen may be outdated
 * then. Answers how to stop.
 */
export const askAgain = (ask: () => void, milliseconds: number) => {
  const askSeen = () => document.visibilityState === "visible" ? ask() : undefined
  const timer = setInterval(ask, milliseconds)
  document.addEventListener("visibilitychange", askSeen)
  addEventListener("online", ask)
  return () => {
    clearInterval(timer)
    document.removeEventListener("visibilitychange", askSeen)
    removeEventListener("online", ask)
  }
}
