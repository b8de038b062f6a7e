/**
 * Calls `ask` repeatedly, and immediately when the page is visible or online again, because its content may then be
 * outdated. Returns a function that stops the calls.
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
