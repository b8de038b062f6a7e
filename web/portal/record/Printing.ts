import { useEffect, useState } from "react"
import { flushSync } from "react-dom"

/** So many rows are put on paper. */
export const printedRows = 2_000

/** Whether the page is being printed: what is shown in part must then be there whole, before the browser lays out the sheets. */
export const usePrinting = () => {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const media = matchMedia("print")
    const change = (printing: boolean) => () => flushSync(() => setPrinting(printing))
    const [begin, end] = [change(true), change(false)]
    const follow = () => setPrinting(media.matches)
    addEventListener("beforeprint", begin)
    addEventListener("afterprint", end)
    media.addEventListener("change", follow)
    return () => {
      removeEventListener("beforeprint", begin)
      removeEventListener("afterprint", end)
      media.removeEventListener("change", follow)
    }
  }, [])
  return printing
}
