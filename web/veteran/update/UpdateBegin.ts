import { keptText } from "../../shared/KeptText.ts"

/**
 * When the present update first stored something, as the service tells the time. The types that were stored since then
 * need not be read again if the page is closed. Nothing else of an update is kept.
 */
const kept = keptText("sessionStorage", "vrss-update-begin")

/** An older update is not continued (contract, 14.8, step 5). */
const maxAgeMs = 3_600_000

/** Where storage is turned off, an update begins anew. */
export const readBegin = (now = Date.now()): string | null => {
  const begin = kept.read()
  return begin !== null && Math.abs(now - Date.parse(begin)) <= maxAgeMs ? begin : null
}

export const writeBegin = kept.write
