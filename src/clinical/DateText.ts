import type { Period } from "fhir/r4.js"
import { members, text } from "./Members.ts"

const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/

/** A date with its recorded precision and zone: `2019-03`, `2019-03-15 14:05 -07:00`. Other text stays as sent. */
export const dateText = (json: unknown): string | null => {
  const sent = text(json)
  const parts = sent && dateTime.exec(sent)
  if (!parts) return sent
  const [, day, time, seconds = "", zone] = parts
  const moment = `${day} ${time}${/^:00(\.0+)?$/.test(seconds) ? "" : seconds}`
  return zone === undefined ? moment : `${moment} ${zone === "Z" ? "UTC" : zone}`
}

/** A text from `dateText` or `period` without times of the day: a glance has days alone. */
export const withoutTimes = (text: string): string =>
  text.replaceAll(/\b(\d{4}-\d\d-\d\d) \d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC| [+-]\d\d:\d\d)?/g, "$1")
    .replace(/^(\S+) to \1$/, "$1")

/** `2019-03-15 to 2019-03-18`, `since 2019`, `until 2020`. */
export const period = (json: unknown): string | null => {
  const { end, start } = members<Period>(json)
  const [from, to] = [dateText(start), dateText(end)]
  if (from === null || to === null) return from === null ? to && `until ${to}` : `since ${from}`
  return from === to ? from : `${from} to ${to}`
}
