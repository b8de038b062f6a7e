/**
 * A clinic's desk shows a code whose address ends in `#invite=CODE`. The code is removed from the address before any
 * other part of the page runs, and kept in memory for the share. This file imports nothing.
 */
let kept: string | undefined

const read = () => {
  const code = /^#invite=([\w-]{1,40})$/.exec(location.hash)?.[1]
  if (code === undefined) return
  kept = code
  history.replaceState(null, "", `${location.pathname}#/share`)
}

read()

// It listens before the routes do, which then see the cleaned address.
addEventListener("hashchange", read)

/** The code, while it waits for a share: a sign-in at the VA takes it along. */
export const waitingInvite = () => kept

export const keepInvite = (code: string | undefined) => {
  kept = code
}

/** Returns the code to the share's first step, once. */
export const takeInvite = () => {
  const taken = kept
  kept = undefined
  return taken
}
