/**
 * A session that nobody uses is ended, for a clinic's machine may stand open (45 CFR 164.312(a)(2)(iii); 30 minutes: NIST SP 800-63B-3,
 * 4.2.3), and who is there is asked before (WCAG 2.2.1).
 */
export const idleLimit = 30 * 60_000

export const idleWarning = idleLimit - 2 * 60_000

/** The portal's other windows are told this often at most. */
const news = 20_000

let last = Date.now()

export const idleFor = () => Date.now() - last

export const noteUse = () => {
  last = Date.now()
}

/** Calls `used` when somebody does something here, at most every 20 s, and not where `asked` says that they are asked. */
export const watchUse = (asked: () => boolean, used: () => void) => {
  let told = 0
  const use = () => {
    if (asked()) return
    noteUse()
    if (last - told < news) return
    told = last
    used()
  }
  for (const event of ["pointerdown", "keydown", "wheel", "scroll"]) {
    addEventListener(event, use, { capture: true, passive: true })
  }
}
