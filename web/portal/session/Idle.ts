/**
 * Milliseconds without use after which a session ends, because a clinic's computer may be left unlocked (45 CFR
 * 164.312(a)(2)(iii)).
 */
const limit = 30 * 60_000

/** The provider is warned two minutes earlier (WCAG 2.2.1). */
const warning = limit - 2 * 60_000

/** The least time between two messages about use to the portal's other windows, in milliseconds. */
const newsEvery = 20_000

/** Knows when the session was last used, in this window or another one. */
export const makeIdle = (now: () => number) => {
  let lastUse = now()
  let lastNews = 0
  return {
    note: () => {
      lastUse = now()
    },
    isNear: () => now() - lastUse >= warning,
    isOver: () => now() - lastUse >= limit,
    /** Returns true if the other windows must now be told of the last use, and notes that they were told. */
    takeNews: () => {
      if (lastUse - lastNews < newsEvery) return false
      lastNews = lastUse
      return true
    }
  }
}
