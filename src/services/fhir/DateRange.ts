import { members } from "../../clinical/Members.ts"

/** The first and the last millisecond that a date with its precision stands for, both included (R4 search, 3.1.1.4.7). */
export interface DateRange {
  readonly first: number
  readonly last: number
}

/** A date of FHIR, and what a search may say besides: minutes without seconds, no zone, which is UTC then. */
const dateText =
  /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/

/** Answers none for what is no date, or a day that no calendar has. */
export const rangeOf = (value: unknown): DateRange | undefined => {
  const parts = typeof value === "string" ? dateText.exec(value) : null
  if (parts === null) return undefined
  const [, year, month, day, time, second, fraction = "", zone = "Z"] = parts
  const lastDay = daysOf(Number(year), Number(month ?? 12))
  if (Number(day ?? 1) > lastDay) return undefined
  // A leap second, which JavaScript does not know, is as the one before it.
  const seconds = (missing: string, filler: string) =>
    `${(second ?? missing).replace("60", "59")}.${fraction.slice(0, 3).padEnd(3, filler)}`
  const first = Date.parse(`${year}-${month ?? "01"}-${day ?? "01"}T${time ?? "00:00"}:${seconds("00", "0")}${zone}`)
  const last = Date.parse(`${year}-${month ?? "12"}-${day ?? lastDay}T${time ?? "23:59"}:${seconds("59", "9")}${zone}`)
  return Number.isNaN(first) || Number.isNaN(last) ? undefined : { first, last }
}

/** A date, or a Period, which an end that is missing leaves open. */
export const rangeOfValue = (value: unknown): DateRange | undefined => {
  if (typeof value === "string") return rangeOf(value)
  const { end, start } = members<{ start: unknown; end: unknown }>(value)
  const [from, to] = [rangeOf(start), rangeOf(end)]
  if ((start !== undefined && !from) || (end !== undefined && !to) || (!from && !to)) return undefined
  return { first: from?.first ?? -Infinity, last: to?.last ?? Infinity }
}

/** The calendar repeats itself after 400 years; JavaScript takes the year 19 for 1919. */
const daysOf = (year: number, month: number) => new Date(Date.UTC(2000 + year % 400, month, 0)).getUTCDate()

export const prefixes = ["eq", "gt", "ge", "lt", "le", "sa", "eb"] as const

export type Prefix = typeof prefixes[number]

/**
 * Whether a date of a resource is as a search wants it. `eq` means that the two overlap: of a period a search for one day finds those that go
 * on over its midnight too, because to leave one out is worse.
 */
export const agrees = (date: DateRange, prefix: Prefix, wanted: DateRange): boolean => {
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
