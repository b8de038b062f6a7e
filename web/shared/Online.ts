import { useSyncExternalStore } from "react"
import { useWords } from "./language/Language.ts"
import { listen } from "./Listen.ts"

const subscribe = (changed: () => void) => listen({ online: changed, offline: changed })

/** False while the browser knows that it has no connection. True does not mean that the service can be reached. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/** Why an action is turned off without a connection, for `Button`'s `off`. */
export const useOffReason = () => {
  const { offline } = useWords()
  return useOnline() ? undefined : offline.reason
}
