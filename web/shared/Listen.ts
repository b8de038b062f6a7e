import { useEffect } from "react"

type Heard = WindowEventMap & DocumentEventMap

/** Listens to events of the window, or of another target. Returns a function that stops it. */
export const listen = (
  listeners: { readonly [Name in keyof Heard]?: (event: Heard[Name]) => void },
  target: EventTarget = globalThis as unknown as Window
) => {
  const all = Object.entries(listeners) as ReadonlyArray<readonly [string, EventListener]>
  for (const [name, listener] of all) target.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of all) target.removeEventListener(name, listener)
  }
}

/** Hears that the part of the address behind `#` changed, as `useSyncExternalStore` subscribes. */
export const onHash = (changed: () => void) => listen({ hashchange: changed })

/** Lets the browser ask before it leaves the page while something in it is not saved. */
export const useAskBeforeLeaving = (isUnsaved: boolean) =>
  useEffect(() => isUnsaved ? listen({ beforeunload: (event) => event.preventDefault() }) : undefined, [isUnsaved])
