import { spokenNow } from "./language/Language.ts"

const formats = new Map<string, Intl.DateTimeFormat>()

/** A format in the page's language. Making one takes longer than using it. */
const formatOf = (style: "dateStyle" | "timeStyle", length: "medium" | "short") => {
  const { tag } = spokenNow()
  const known = formats.get(tag + style)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(tag, { [style]: length })
  formats.set(tag + style, made)
  return made
}

/** "Nov 21, 2026", in the page's language and the reader's own time zone. */
export const dayWords = (date: Date) => formatOf("dateStyle", "medium").format(date)

/** "9:21 PM", with the day before it unless that is today. */
export const timeWords = (date: Date, now = new Date()) => {
  const time = formatOf("timeStyle", "short").format(date)
  return dayWords(date) === dayWords(now) ? time : `${dayWords(date)}, ${time}`
}
