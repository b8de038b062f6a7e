import { keptText } from "../../shared/KeptText.ts"

/**
 * The browser remembers only that there is a session (`kept`) or that one is being ended (`ending`). The token is in
 * memory, and scripts cannot read the cookie. Where storage is turned off, a reload signs out.
 */
export type SessionMark = "kept" | "ending"

const kept = keptText("localStorage", "vrss-session")

export const readMark = (): SessionMark | undefined => {
  const mark = kept.read()
  return mark === "kept" || mark === "ending" ? mark : undefined
}

export const writeMark = (mark: SessionMark | undefined) => kept.write(mark ?? null)
