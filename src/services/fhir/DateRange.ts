import { members } from "../../clinical/Members.ts"

/** The first and last millisecond of a date of any precision, both included (R4 search, 3.1.1.4.7). */
export interface DateRange {
  readonly first: number
  readonly last: number
}

/** Matches a FHIR date or a date in a search. A date in a search may lack seconds, and is in UTC if it lacks a zone. */
const dateText =
  /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/

/** Returns undefined if the text is not a date, or names a day that does not exist in the calendar. */
export const rangeOf = (value: unknown): DateRange | undefined => {
  const parts = typeof value === "string" ? dateText.exec(value) : null
  if (parts === null) return undefined
  const [, year, month, day, time, second, fraction = "", zone = "Z"] = parts
  const lastDay = daysOf(Number(year), Number(month ?? 12))
  if (Number(day ?? 1) > lastDay) return undefined
  // JavaScript has no leap seconds, so a leap second counts as the second before it.
  const seconds = (missing: string, filler: string) =>
    `${(second ?? missing).replace("60", "59")}.${fraction.slice(0, 3).padEnd(3, filler)}`
  const first = Date.parse(`${year}-${month ?? "01"}-${day ?? "01"}T${time ?? "00:00"}:${seconds("00", "0")}${zone}`)
  const last = Date.parse(`${year}-${month ?? "12"}-${day ?? lastDay}T${time ?? "23:59"}:${seconds("59", "9")}${zone}`)
  return Number.isNaN(first) || Number.isNaN(last) ? undefined : { first, last }
}

/** Reads a date or a Period. A Period without a start or an end is unbounded on that side. */
export const rangeOfValue = (value: unknown): DateRange | undefined => {
  if (typeof value === "string") return rangeOf(value)
  const { end, start } = members<{ start: unknown; end: unknown }>(value)
  const [from, to] = [rangeOf(start), rangeOf(end)]
  if ((start !== undefined && !from) || (end !== undefined && !to) || (!from && !to)) return undefined
  return { first: from?.first ?? -Infinity, last: to?.last ?? Infinity }
}

/** JavaScript would read the year 19 as 1919. The calendar repeats every 400 years, so a later, equal year is used. */
const daysOf = (year: number, month: number) => new Date(Date.UTC(2000 + year % 400, month, 0)).getUTCDate()

export const prefixes = ["eq", "gt", "ge", "lt", "le", "sa", "eb"] as const

export type Prefix = typeof prefixes[number]

/** `eq` matches any overlap, because a search for a day must find a period that continues past midnight. */
export const matchesDate = (date: DateRange, prefix: Prefix, wanted: DateRange): boolean => {
  switch (prefix) {
    case "eq":
      return date.first <= wanted.last && date.last >= wanted.first
    case "gt":
      return date.last > wanted.last
    case "ge":
      return date.last >= wanted.first
    case "lt":
      return date.first < wanted.first
    case "le":
      return date.first <= wanted.last
    case "sa":
      return date.first > wanted.last
    case "eb":
      return date.last < wanted.first
  }
}
