const moment = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (UTC|[+-]\d\d:\d\d)$/

/** The milliseconds of a moment as a row shows it. Returns NaN for a date without time or zone. */
const millisecondsOf = (text: string): number => {
  const [, day, time, zone] = moment.exec(text) ?? []
  return Date.parse(`${day}T${time}${zone === "UTC" ? "Z" : zone}`)
}

/** Whether two dates of a row are equal as recorded, or at most a minute apart. */
export const isSoonAfter = (text: string, date: string | undefined): boolean =>
  date !== undefined && (text === date || Math.abs(millisecondsOf(text) - millisecondsOf(date)) <= 60_000)
