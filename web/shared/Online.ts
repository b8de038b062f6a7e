import { useSyncExternalStore } from "react"

const subscribe = (changed: () => void) => {
  addEventListener("online", changed)
  addEventListener("offline", changed)
  return () => {
    removeEventListener("online", changed)
    removeEventListener("offline", changed)
  }
}

/** False while the browser knows that it has no connection. True does not mean that the service can be reached. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/**
 * The value for `off` of a `Button` that needs a connection: the reason why it is off, or undefined while connected.
 */
export const useOffReason = () => useOnline() ? undefined : "You are offline."
