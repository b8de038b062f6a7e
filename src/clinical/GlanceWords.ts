import { withoutTimes } from "./DateText.ts"
import type { Labelled } from "./Row.ts"

const verbs: Readonly<Record<string, string>> = { Onset: "since", Authored: "ordered" }

/**
 * `since 2019-03`: a date of an item behind a verb. An age, a period or a vague date stands behind the label of the
 * date, because "since 12 years" would say something else.
 */
export const sinceWords = ({ label, text }: Labelled): string => {
  const days = withoutTimes(text)
  const verb = /^\d{4}(?:-\d\d){0,2}$/.test(days) ? verbs[label] : undefined
  return `${verb ?? label.toLowerCase()} ${days}`
}

/** More text follows a dose, so its full stop goes. With several, the last may belong to an abbreviation. */
export const doseWords = (dose: string | null): string => dose?.replace(/^([^.]*)\.$/, "$1") ?? "No dose recorded"
