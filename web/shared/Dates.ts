const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" })
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "short" })

/** "Nov 21, 2026", in the reader's own time zone. */
export const dayWords = (date: Date) => day.format(date)

/** "9:21 PM" for a time today, otherwise "Nov 21, 2026, 9:21 PM". */
export const timeWords = (date: Date, now = new Date()) =>
  dayWords(date) === dayWords(now) ? time.format(date) : `${dayWords(date)}, ${time.format(date)}`
