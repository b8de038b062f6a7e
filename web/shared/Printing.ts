import { useEffect, useState } from "react"
import { flushSync } from "react-dom"

/** The most rows that are printed. */
export const printedRows = 2_000

/**
 * The time at which printing began, or undefined. While it is set, partial lists must be rendered whole, before the
 * browser lays out the sheets.
 */
export const usePrinting = () => {
  const [printing, setPrinting] = useState<Date>()
  useEffect(() => {
    const media = matchMedia("print")
    const begin = () => flushSync(() => setPrinting(new Date()))
    const end = () => flushSync(() => setPrinting(undefined))
    const follow = () => setPrinting(media.matches ? new Date() : undefined)
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
