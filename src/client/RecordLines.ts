import type { Row } from "../clinical/Row.ts"
import { read, type RecordItem } from "../clinical/Sections.ts"

/** The maximum number of characters in a line. */
const width = 110

/** Yields each section's title with its number of rows, and then its first `maxRows` rows, each as one line. */
export const recordLines = function*(items: ReadonlyArray<RecordItem>, maxRows: number) {
  for (const { groups, title } of read(items)) {
    const rows = groups.flatMap(({ rows }) => rows)
    yield shown(`${title}: ${rows.length}`)
    for (const row of rows.slice(0, maxRows)) yield shown(`  ${lineOf(row)}`)
    if (rows.length > maxRows) yield `  ... and ${rows.length - maxRows} more`
  }
}

/** First date, title, flags, status and first detail. */
const lineOf = ({ dates, details, flags, status, title }: Row) =>
  [
    ...dates.slice(0, 1).map(({ text }) => text),
    title,
    ...flags.map((flag) => `! ${flag}`),
    ...(status === null ? [] : [status]),
    ...details.slice(0, 1).map(({ label, text }) => `${label}: ${text}`)
  ].join(" | ")

/** Removes control characters, because text of unknown origin must not control the terminal. */
const shown = (line: string) => {
  const characters = [...line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")]
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 3).join("")}...`
}
