/**
 * The token of the link, which is behind the `#` of the address until this line has run. It is kept in memory alone: neither the
 * address, nor the tab's history, nor a reload has it from then on.
 */
const take = () => {
  const { hash, pathname } = location
  if (hash.length > 1) history.replaceState(null, "", pathname)
  // Mail programs take a full stop or a bracket behind an address for a part of it.
  return /^#([\w-]{43})(?![\w-])/.exec(hash)?.[1]
}

/** A link that was opened in this tab. */
export interface OpenedHere {
  /** Undefined: there was none in the address, or a part of it only. */
  readonly token: string | undefined
  readonly time: number
}

let last: OpenedHere = { token: take(), time: 0 }

export const lastOpened = () => last

/** Tells of another link that is opened in the same tab, which loads nothing anew. */
export const onOpened = (tell: () => void) => {
  const look = () => {
    if (location.hash.length <= 1) return
    last = { token: take(), time: last.time + 1 }
    tell()
  }
  addEventListener("hashchange", look)
  return () => removeEventListener("hashchange", look)
}
