import { keptText } from "../../shared/KeptText.ts"

/** The app locks after it was hidden for this long, in milliseconds (contract, 14.8). */
export const awayLimit = 5 * 60_000

const kept = keptText("sessionStorage", "vrss-away")

/**
 * While the page is hidden, this tab remembers since when. A reload soon after goes on; a page that was hidden for
 * longer, or a tab that was closed, is locked. So is every reload where storage is turned off. While the page is
 * visible, nothing is kept.
 */
export const rememberAway = () => kept.write(`${Date.now()}`)

/** Forgets since when the page was hidden. Returns true if that was not long ago. */
export const takeAway = () => {
  const passed = Date.now() - Number(kept.read() ?? NaN)
  kept.write(null)
  return passed >= 0 && passed < awayLimit
}
