import { type RefObject, useEffect, useState } from "react"
import { listen } from "../Listen.ts"

/**
 * `:focus` does not match a frame whose content has the focus. The page only hears that it lost the focus, and looks
 * where it went.
 */
export const useFrameFocus = (frame: RefObject<HTMLIFrameElement | null>) => {
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    const look = () => setFocused(document.activeElement === frame.current)
    // The focus moves only after this event, so `look` must wait.
    const lookSoon = () => setTimeout(look)
    return listen({ blur: lookSoon, focusin: look })
  }, [frame])
  return isFocused
}
