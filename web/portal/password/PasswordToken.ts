/** Whether this is the page by which a provider without a session chooses a password, or asks for a link to do so. */
export const isPasswordPage = location.pathname === "/password"

/** A link that was opened in this tab. */
export interface OpenedLink {
  /** False if the address had nothing behind the `#`: somebody forgot the password and has no link yet. */
  readonly given: boolean
  /** It is undefined if the address has no token, or only a part of one. */
  readonly token: string | undefined
  readonly time: number
}

/**
 * Takes the token of the link out of the address, where it is behind the `#`. From then on it is only in memory: not in
 * the address, not in the tab's history, and gone after a reload.
 */
const take = (time: number): OpenedLink => {
  const { hash, pathname } = location
  const given = isPasswordPage && hash.length > 1
  if (given) history.replaceState(null, "", pathname)
  // Mail programs may treat a full stop or bracket after an address as part of it.
  return { given, token: given ? /^#([\w-]{43})(?![\w-])/.exec(hash)?.[1] : undefined, time }
}

let last = take(0)

export const lastOpened = () => last

/** Calls `tell` when a link is opened in the same tab: the browser then changes only the hash, and loads nothing. */
export const onOpened = (tell: () => void) => {
  const look = () => {
    if (location.hash.length <= 1) return
    last = take(last.time + 1)
    tell()
  }
  addEventListener("hashchange", look)
  return () => removeEventListener("hashchange", look)
}
