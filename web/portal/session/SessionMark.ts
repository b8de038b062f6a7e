/**
 * The browser remembers only that there is a session (`kept`) or that one is being ended (`ending`). The token is in
 * memory, and scripts cannot read the cookie.
 */
const key = "vrss-session"

export type SessionMark = "kept" | "ending"

export const readMark = (): SessionMark | undefined => {
  try {
    const mark = localStorage.getItem(key)
    return mark === "kept" || mark === "ending" ? mark : undefined
  } catch {
    // Storage is turned off: a reload signs out.
    return undefined
  }
}

export const writeMark = (mark: SessionMark | undefined) => {
  try {
    if (mark === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, mark)
  } catch {
    // Storage is turned off.
  }
}
