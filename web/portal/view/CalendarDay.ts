import { spokenNow } from "../../shared/language/Language.ts"

/** A day of the calendar (`1962-03-04`) in the page's language. It has no time zone. Other text stays unchanged. */
export const calendarDay = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(date.getTime())
    ? new Intl.DateTimeFormat(spokenNow().tag, { dateStyle: "medium", timeZone: "UTC" }).format(date)
    : day
}
