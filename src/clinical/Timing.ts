import type { Timing, TimingRepeat } from "fhir/r4.js"
import { codeText } from "./Coding.ts"
import { dateText, period } from "./DateText.ts"
import { each, joined, type Members, members, text } from "./Members.ts"
import { quantity, range } from "./Quantity.ts"

const units: ReadonlyMap<string, string> = new Map([
  ["s", "second"],
  ["min", "minute"],
  ["h", "hour"],
  ["d", "day"],
  ["wk", "week"],
  ["mo", "month"],
  ["a", "year"]
])

/** Codes of HL7's EventTiming. Any other code is shown as it was sent. */
const events: ReadonlyMap<string, string> = new Map([
  ["MORN", "in the morning"],
  ["MORN.early", "early in the morning"],
  ["MORN.late", "late in the morning"],
  ["NOON", "at noon"],
  ["AFT", "in the afternoon"],
  ["AFT.early", "early in the afternoon"],
  ["AFT.late", "late in the afternoon"],
  ["EVE", "in the evening"],
  ["EVE.early", "early in the evening"],
  ["EVE.late", "late in the evening"],
  ["NIGHT", "at night"],
  ["PHS", "after sleep"],
  ["HS", "before sleep"],
  ["WAKE", "upon waking"],
  ["C", "at meals"],
  ["CM", "at breakfast"],
  ["CD", "at lunch"],
  ["CV", "at dinner"],
  ["AC", "before meals"],
  ["ACM", "before breakfast"],
  ["ACD", "before lunch"],
  ["ACV", "before dinner"],
  ["PC", "after meals"],
  ["PCM", "after breakfast"],
  ["PCD", "after lunch"],
  ["PCV", "after dinner"]
])

/** How often and when: the code's words, each listed moment, and the repetition (`2 times per day, for 10 days`). */
export const timing = (json: unknown): string | null => {
  const { code, event, repeat } = members<Timing>(json)
  return text(json) ?? joined([codeText(code), each(event, dateText), repetition(members<TimingRepeat>(repeat))])
}

const repetition = (repeat: Members<TimingRepeat>) =>
  joined([
    frequency(repeat),
    each(repeat.dayOfWeek, text),
    each(repeat.timeOfDay, (time) => text(time)?.replace(/^(\d\d:\d\d):00$/, "$1") ?? null),
    joined([minutes(repeat.offset), each(repeat.when, (when) => events.get(text(when) ?? "") ?? text(when))], " "),
    said("each lasting", span(repeat.duration, repeat.durationMax, repeat.durationUnit)),
    said("for", quantity(repeat.boundsDuration) ?? range(repeat.boundsRange)),
    period(repeat.boundsPeriod),
    times(repeat.count, repeat.countMax) && `${times(repeat.count, repeat.countMax)} in all`
  ])

/** `3 times per day`. One time in a period of several units becomes `every 8 hours`. */
const frequency = (repeat: Members<TimingRepeat>) => {
  const often = joined([text(repeat.frequency), text(repeat.frequencyMax)], " to ")
  const unit = text(repeat.periodUnit)
  const name = unit && (units.get(unit) ?? unit)
  if (name === null) return often && times(repeat.frequency, repeat.frequencyMax)
  const several = isOne(joined([text(repeat.period), text(repeat.periodMax)], " to ") ?? "1")
    ? null
    : span(repeat.period, repeat.periodMax, unit)
  if (often !== null && !isOne(often)) return several ? `${often} times every ${several}` : `${often} times per ${name}`
  return several ? `every ${several}` : often ? `once per ${name}` : `every ${name}`
}

/** Some servers send a count of 1 as `1.0`. */
const isOne = (count: string) => Number(count) === 1

const times = (least: unknown, most: unknown) => {
  const count = joined([text(least), text(most)], " to ")
  return count && (isOne(count) ? "once" : `${count} times`)
}

const span = (least: unknown, most: unknown, unit: unknown) => {
  const count = joined([text(least), text(most)], " to ")
  const code = text(unit) ?? ""
  const name = units.get(code)
  return count && joined([count, name === undefined ? code : isOne(count) ? name : `${name}s`], " ")
}

const minutes = (offset: unknown) => text(offset) && `${text(offset)} minutes`

const said = (word: string, value: string | null) => value && `${word} ${value}`
