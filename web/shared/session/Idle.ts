/** The least time between two messages about use to the site's other windows, in milliseconds. */
const newsEvery = 20_000

/** How long a session may be unused, and how long before its end somebody is warned (WCAG 2.2.1), in milliseconds. */
export interface IdleLimits {
  readonly limit: number
  readonly warnedBefore: number
}

/** Knows when the session was last used, in this window or another one. */
export const makeIdle = ({ limit, warnedBefore }: IdleLimits) => {
  let lastUse = Date.now()
  let lastNews = 0
  return {
    note: () => {
      lastUse = Date.now()
    },
    isNear: () => Date.now() - lastUse >= limit - warnedBefore,
    isOver: () => Date.now() - lastUse >= limit,
    /** Returns true if the other windows must now be told of the last use, and notes that they were told. */
    takeNews: () => {
      if (lastUse - lastNews < newsEvery) return false
      lastNews = lastUse
      return true
    }
  }
}
