import { spokenNow } from "../language/Language.ts"
import { englishDays } from "./words/EnglishDays.ts"

const daysNow = () => spokenNow().record?.days ?? englishDays

/**
 * A date as it was recorded, in words: `Nov 21, 2026`, `Nov 2026`, `2026`. It is never converted to the reader's time
 * zone. Other text stays unchanged.
 */
export const recordedDay = (date: string): string => {
  const words = daysNow()
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?![\d-])/.exec(date) ?? []
  const name = words.months[Number(month) - 1]
  if (year === undefined || (month !== undefined && name === undefined)) return date
  if (name === undefined) return year
  return day === undefined ? `${name} ${year}` : words.day(name, Number(day), year)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of a moment in the reader's time zone, in the language in which the record is shown. */
export const momentDay = (moment: string): string => {
  const { tag } = daysNow()
  const format = formats.get(tag) ?? new Intl.DateTimeFormat(tag, { dateStyle: "medium" })
  formats.set(tag, format)
  return format.format(new Date(moment))
}

/** Rewrites each date in a text from `src/clinical`, such as `2019-03-15 14:05 -07:00 to 2019-03-18`. */
export const recordedDays = (text: string): string =>
  daysNow().between(text).replaceAll(/\b\d{4}-\d\d(?:-\d\d)?(?![\d-])/g, recordedDay)

/** Whole years from a birth date to a day. Returns null if the birth date is not exact enough. */
export const ageOn = (born: string, today: Date): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(born) ?? []
  if (year === undefined) return null
  const before = today.getMonth() + 1 < Number(month) ||
    (today.getMonth() + 1 === Number(month) && today.getDate() < Number(day))
  const years = today.getFullYear() - Number(year) - (before ? 1 : 0)
  return years >= 0 && years < 150 ? years : null
}
