import { useSyncExternalStore } from "react"
import { flushSync } from "react-dom"
import { listen } from "./Listen.ts"

/** The most rows that are printed. */
export const printedRows = 2_000

let printing: Date | undefined

const subscribe = (changed: () => void) => {
  const media = matchMedia("print")
  const begin = () => {
    printing ??= new Date()
    flushSync(changed)
  }
  const end = () => {
    printing = undefined
    flushSync(changed)
  }
  const follow = () => media.matches ? begin() : end()
  const stops = [listen({ beforeprint: begin, afterprint: end }), listen({ change: follow }, media)]
  return () => stops.forEach((stop) => stop())
}

/**
 * The time at which printing began, or undefined. While it is set, partial lists must be rendered whole, before the
 * browser lays out the sheets. Parts that are rendered because of it have the same time.
 */
export const usePrinting = () => useSyncExternalStore(subscribe, () => printing)
