/** The app locks after it was hidden for this long, in milliseconds (contract, 14.8). */
export const awayLimit = 5 * 60_000

const key = "vrss-away"

/**
 * While the page is hidden, this tab remembers since when. A reload soon after goes on; a page that was hidden for
 * longer, or a tab that was closed, is locked. While the page is visible, nothing is kept.
 */
export const rememberAway = () => {
  try {
    sessionStorage.setItem(key, `${Date.now()}`)
  } catch {
    // Storage is turned off: a reload locks.
  }
}

/** Forgets since when the page was hidden. Returns true if that was not long ago. */
export const takeAway = () => {
  try {
    const since = Number(sessionStorage.getItem(key) ?? NaN)
    sessionStorage.removeItem(key)
    const passed = Date.now() - since
    return passed >= 0 && passed < awayLimit
  } catch {
    return false
  }
}
