import type { GlanceItem } from "../../../../src/clinical/Glance.ts"
import { recordedDay } from "../ClinicalDays.ts"

/** The line below an item's title: its detail, else since when it is known. */
export const detailWords = (item: GlanceItem): string =>
  inOne(item.detail ?? dateWords(item), statusWords(item), entriesWords(item))

/** The line below a vaccine: the reaction, and when the vaccine was given. */
export const reactionWords = (item: GlanceItem): string => inOne(item.detail ?? "", dateWords(item), entriesWords(item))

/** The line below a medication: its dose, and when it was ordered or taken. */
export const doseWords = (item: GlanceItem): string =>
  inOne(
    // More text follows the dose, so its full stop goes. With several, the last may belong to an abbreviation.
    item.detail?.replace(/^([^.]*)\.$/, "$1") ?? "No dose recorded",
    dateWords(item),
    statusWords(item),
    entriesWords(item)
  )

/** Behind a medication that was dispensed or given: when, or that the record has no date. */
export const suppliedWords = ({ date }: GlanceItem): string =>
  date === null ? "no date" : recordedDay(date.text.slice(0, 10))

const inOne = (...texts: ReadonlyArray<string>) => texts.filter((text) => text !== "").join("; ")

const verbs: Readonly<Record<string, string>> = { Onset: "since", Authored: "ordered" }

const dateWords = ({ date }: GlanceItem) => {
  if (date === null) return ""
  const day = /^\d{4}(?:-\d\d){0,2}/.exec(date.text)?.[0]
  const label = date.label.toLowerCase()
  return day === undefined ? `${label} ${date.text}` : `${verbs[date.label] ?? label} ${recordedDay(day)}`
}

const statusWords = ({ hasStatus }: GlanceItem) => hasStatus ? "" : "status not recorded"

const entriesWords = ({ entries }: GlanceItem) => entries === 1 ? "" : `${entries} entries`
