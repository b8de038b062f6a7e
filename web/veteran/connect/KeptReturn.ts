import type { KnownReturn, Purpose } from "./VaReturn.ts"

/** A return from the VA that does something in the session. It waits until the session is there again. */
let kept: KnownReturn | undefined

export const keepReturn = (returned: KnownReturn) => {
  kept = returned
}

/** Returns it on the first call only. */
export const takeReturn = (purpose: Purpose) => {
  if (kept?.journey.purpose !== purpose) return undefined
  const taken = kept
  kept = undefined
  return taken
}
