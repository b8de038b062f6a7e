/** A text that the browser keeps. Where storage is turned off, nothing is kept, and nothing is read. */
export const keptText = (kind: "localStorage" | "sessionStorage", key: string) => ({
  read: (): string | null => {
    try {
      return globalThis[kind].getItem(key)
    } catch {
      return null
    }
  },
  /** Null removes it. */
  write: (text: string | null) => {
    try {
      if (text === null) globalThis[kind].removeItem(key)
      else globalThis[kind].setItem(key, text)
    } catch {
      // Storage is turned off.
    }
  }
})
