import type { KnownReturn } from "../connect/VaReturn.ts"

/** A return from the VA that confirms the session. It waits until the session is there again. */
let kept: KnownReturn | undefined

export const keepConfirmation = (returned: KnownReturn) => {
  kept = returned
}

/** Returns it on the first call only. */
export const takeConfirmation = () => {
  const taken = kept
  kept = undefined
  return taken
}
