/**
 * A clinic's desk shows a code whose address ends in `#invite=CODE`. The code is removed from the address before any
 * other part of the page runs, and kept in memory for the share. This file imports nothing.
 */
let kept: string | undefined

const listeners = new Set<() => void>()

export const keepInvite = (code: string | undefined) => {
  kept = code
  listeners.forEach((changed) => changed())
}

const read = () => {
  const code = /^#invite=([\w-]{1,40})$/.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(null, "", `${location.pathname}#/share`)
  keepInvite(code)
}

read()

// It listens before the routes do, which then see the cleaned address.
addEventListener("hashchange", read)

/** The code, while it waits for a share: a sign-in at the VA takes it along. */
export const waitingInvite = () => kept

export const onInvite = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** Puts a code that waits back into the address, for a page that is about to be loaded again and takes it out first. */
export const putInviteBack = () => {
  if (kept !== undefined) history.replaceState(null, "", `${location.pathname}#invite=${kept}`)
}
