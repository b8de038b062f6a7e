import { withoutTimes } from "../../../../src/clinical/DateText.ts"
import type { GlanceItem } from "../../../../src/clinical/GlanceCards.ts"
import { doseWords as dose } from "../../../../src/clinical/GlanceWords.ts"
import { recordedDays } from "../ClinicalDays.ts"
import { recordWords } from "../RecordLanguage.ts"

/** The line below an item's title: its detail, else since when it is known. */
export const detailWords = (item: GlanceItem): string =>
  inOne(item.detail ?? dateWords(item), statusWords(item), entriesWords(item))

/** The line below a vaccine: the reaction, and when the vaccine was given. */
export const reactionWords = (item: GlanceItem): string => inOne(item.detail ?? "", dateWords(item), entriesWords(item))

/** The line below a medication: its dose or `none`, and when it was ordered or taken. */
export const doseWords = (item: GlanceItem, none = dose(null)): string =>
  inOne(item.detail === null ? none : dose(item.detail), dateWords(item), statusWords(item), entriesWords(item))

/** Behind a medication that was dispensed or given: when, or that the record has no date. */
export const suppliedWords = ({ date }: GlanceItem): string =>
  date === null ? recordWords().noDateWithin : recordedDays(withoutTimes(date.text))

/** Cuts such a line behind what the source wrote: the rest is ours, in the language of the page. */
export const partsOf = ({ detail }: GlanceItem, line: string): readonly [source: string, ours: string] => {
  const wrote = detail === null ? "" : [detail, dose(detail)].find((text) => line.startsWith(text)) ?? ""
  return [wrote, line.slice(wrote.length)]
}

const inOne = (...texts: ReadonlyArray<string>) => texts.filter((text) => text !== "").join("; ")

const dateWords = ({ date }: GlanceItem) => date === null ? "" : recordedDays(recordWords().since(date))

const statusWords = ({ hasStatus }: GlanceItem) => hasStatus ? "" : recordWords().noStatus

const entriesWords = ({ entries }: GlanceItem) => entries === 1 ? "" : recordWords().entries(entries)
