import { isIncomplete } from "../../domain/SyncState.ts"
import { minuteOf } from "../platform/Instants.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

export const count = (amount: number) => amount.toLocaleString("en-US")

export const plural = (amount: number, noun: string) => `${count(amount)} ${noun}${amount === 1 ? "" : "s"}`

/** A document's name is unchecked and may have line breaks. */
export const inOneLine = (text: string) => text.replace(/\s+/g, " ")

/** Says how complete one type is, for a line of section I of the authorization (roi-authorization.md). */
export const completeness = (entry: SignedAuthorization["record"][number]): string => {
  const { itemCount, lastCompleteAt, lastFetch, lastFetchAt, state } = entry
  const at = lastCompleteAt ?? lastFetchAt
  const items = plural(itemCount, "item")
  const asOf = at === null ? "" : `, as of ${minuteOf(at)}`
  const interrupted = isIncomplete(lastFetch) ? "; the most recent update could not load everything" : ""
  switch (state) {
    case "complete":
      return `included, ${items}${asOf}${interrupted}`
    case "partial":
      return `included, ${items}${asOf}; some of it could not be loaded`
    case "empty":
      return `none on record${interrupted}`
    case "stale":
      return at === null ? items : `${items}, from the last complete update of ${minuteOf(at)}`
    case "unknown":
      return "could not be loaded"
  }
}
