/**
 * When the present update first stored something, as the service tells the time. The types that were stored since then
 * need not be read again if the page is closed. Nothing else of an update is kept.
 */
const key = "vrss-update-begin"

/** An older update is not continued (contract, 14.8, step 5). */
const maxAgeMs = 3_600_000

export const readBegin = (now = Date.now()): string | null => {
  try {
    const begin = sessionStorage.getItem(key)
    return begin !== null && Math.abs(now - Date.parse(begin)) <= maxAgeMs ? begin : null
  } catch {
    // Storage is turned off: an update begins anew.
    return null
  }
}

export const writeBegin = (begin: string | null) => {
  try {
    if (begin === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, begin)
  } catch {
    // Storage is turned off.
  }
}
