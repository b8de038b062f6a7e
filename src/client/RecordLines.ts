import type { Row } from "../clinical/Row.ts"
import { read, type RecordItem } from "../clinical/Sections.ts"

/** A terminal shows so many characters in a line. */
const width = 110

/** The title of each section of a record with how many rows it has, and the first `most` rows, one a line. */
export const recordLines = function*(items: ReadonlyArray<RecordItem>, most: number) {
  for (const { groups, title } of read(items)) {
    const rows = groups.flatMap(({ rows }) => rows)
    yield shown(`${title}: ${rows.length}`)
    for (const row of rows.slice(0, most)) yield shown(`  ${lineOf(row)}`)
    if (rows.length > most) yield `  ... and ${rows.length - most} more`
  }
}

/** When, what, how it stands, and what of it comes first. */
const lineOf = ({ dates, details, flags, status, title }: Row) =>
  [
    ...dates.slice(0, 1).map(({ text }) => text),
    title,
    ...flags.map((flag) => `! ${flag}`),
    ...(status === null ? [] : [status]),
    ...details.slice(0, 1).map(({ label, text }) => `${label}: ${text}`)
  ].join(" | ")

/** A stranger's text must not speak to the terminal. */
const shown = (line: string) => {
  const characters = [...line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")]
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 3).join("")}...`
}
