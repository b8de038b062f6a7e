import { dayWords } from "../../Dates.ts"
import { recordedDay } from "../ClinicalDays.ts"
import { folded } from "../Folded.ts"
import type { Line } from "../Messages.ts"
import { recordWords } from "../RecordLanguage.ts"
import { canBeActive, isOfKind, type KindFilter } from "./Kinds.ts"

/** Which items the table shows. */
export interface ItemFilter {
  readonly kind: KindFilter
  readonly query: string
  /** The first and the last day, `YYYY-MM-DD`, both included. Empty text leaves an end open. */
  readonly from: string
  readonly to: string
  readonly isActiveOnly: boolean
  readonly isNewOnly: boolean
}

export interface Filtered {
  readonly shown: ReadonlyArray<Line>
  /** How many items match but for their missing date. */
  readonly undated: number
}

/** An item whose date spans days, such as a stay, matches if one of its days is in the range. */
export const filtered = (lines: ReadonlyArray<Line>, filter: ItemFilter): Filtered => {
  const { from, isNewOnly, kind, query, to } = filter
  const words = folded(query).split(/\s+/).filter((word) => word !== "")
  const isActiveOnly = filter.isActiveOnly && canBeActive(kind)
  const hasRange = from !== "" || to !== ""
  let undated = 0
  const shown = lines.filter(({ days, folded, how, isActive, kind: one }) => {
    const matches = isOfKind(one, kind) && (!isActiveOnly || isActive) && (!isNewOnly || how !== null) &&
      words.every((word) => folded.includes(word))
    if (!matches || !hasRange) return matches
    if (days === null) undated++
    return days !== null && days[1] >= from && (to === "" || days[0] <= to)
  })
  return { shown, undated }
}

/** The filter in words, for the screen and for paper. No words if it lets all items through. */
export const filterWords = (filter: ItemFilter, since: string | null): ReadonlyArray<string> => {
  const { from, isActiveOnly, isNewOnly, kind, to } = filter
  const query = filter.query.trim()
  const { filter: { inWords }, kinds } = recordWords()
  return [
    ...(kind === "all" ? [] : [kinds[kind]]),
    ...(query === "" ? [] : [inWords.search(query)]),
    ...(from === "" ? [] : [inWords.from(recordedDay(from))]),
    ...(to === "" ? [] : [inWords.to(recordedDay(to))]),
    ...(isActiveOnly && canBeActive(kind)
      ? [kind === "all" ? inWords.activeOfAll : inWords.active]
      : []),
    ...(isNewOnly ? [newWords(since)] : [])
  ]
}

/** "new or changed since Nov 3, 2026" */
export const newWords = (since: string | null) =>
  recordWords().filter.inWords.isNew(since === null ? null : dayWords(new Date(since)))
