/**
 * What the browser remembers of the session is that there is one (`kept`), or that it is being ended (`ending`), and nothing else:
 * the token is in memory, and the cookie is nothing that a script can read.
 */
const key = "vrss-session"

export type SessionMark = "kept" | "ending"

export const readMark = (): SessionMark | undefined => {
  try {
    const mark = localStorage.getItem(key)
    return mark === "kept" || mark === "ending" ? mark : undefined
  } catch {
    // Storage is switched off: a reload signs out.
    return undefined
  }
}

export const writeMark = (mark: SessionMark | undefined) => {
  try {
    if (mark === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, mark)
  } catch {
    // As above.
  }
}
