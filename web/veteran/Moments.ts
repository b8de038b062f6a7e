import { dayWords, timeWords } from "../shared/Dates.ts"
import { spokenNow } from "../shared/language/Language.ts"
import { numberWords } from "../shared/language/Names.ts"

/** "today, 9:35 PM", or the day alone, because the hour of an older day seldom matters: "Nov 20, 2026". */
export const momentWords = (date: Date, now: Date) => {
  const day = dayWords(date)
  return day === dayWords(now) ? spokenNow().words.today(timeWords(date, now)) : day
}

export const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The number of days between two days of the reader's calendar, as a person counts them. */
export const daysFrom = (now: Date, until: Date) => Math.round((midnightOf(until) - midnightOf(now)) / 86_400_000)

const midnightOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())

/** "1 link", "1,400 links", with the number as the page's language writes it. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${numberWords(count)} ${count === 1 ? one : many}`

/** The last moment before an end. A share that ends at midnight is not there on the day that begins then. */
export const lastBefore = (end: Date) => new Date(end.getTime() - 1)

/** A day of the reader's calendar as a date field has it: "2026-11-21". */
export const dayText = (date: Date) =>
  [`${date.getFullYear()}`, `${date.getMonth() + 1}`, `${date.getDate()}`].map((part) => part.padStart(2, "0")).join(
    "-"
  )

/** The last moment of a day in the reader's time zone. */
export const dayEnd = (day: string) => new Date(`${day}T23:59:59.999`)
