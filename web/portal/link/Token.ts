import { isForApps, tokenOf } from "./Fragment.ts"

/**
 * Takes the link out of the address, where it is behind the `#`. From then on it is only in memory: not in the
 * address, not in the tab's history, and gone after a reload.
 */
const take = async () => {
  const { hash, pathname } = location
  if (hash.length > 1) history.replaceState(null, "", pathname)
  return { token: await tokenOf(hash), isForApps: isForApps(hash) }
}

/** A link that was opened in this tab. */
export interface OpenedHere {
  /** It is undefined if the address has no token, or only a part of one. */
  readonly token: string | undefined
  /** It is a SMART Health Link: an app, or the veteran, may have had a code mailed. */
  readonly isForApps: boolean
  readonly time: number
}

let last: OpenedHere = { token: undefined, isForApps: false, time: 0 }

/** The link with which the page was loaded is known once this is done. */
export const linkIsRead = take().then((link) => {
  last = { ...last, ...link }
})

export const lastOpened = () => last

/**
 * Calls `tell` when a link is opened in the same tab. The browser then changes only the hash and does not load the page
 * again.
 */
export const onOpened = (tell: () => void) => {
  const look = async () => {
    if (location.hash.length <= 1) return
    last = { ...await take(), time: last.time + 1 }
    tell()
  }
  addEventListener("hashchange", look)
  return () => removeEventListener("hashchange", look)
}
