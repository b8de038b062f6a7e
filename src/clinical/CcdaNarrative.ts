import { escaped } from "./CcdaXml.ts"
import type { Labelled, Row } from "./Row.ts"

export const paragraph = (text: string): string => `<paragraph>${escaped(text)}</paragraph>`

export interface NamedRow {
  readonly id: string
  readonly row: Row
}

const head = `<thead><tr>${
  ["Item", "Status", "Dates", "Details"].map((title) => `<th>${title}</th>`).join("")
}</tr></thead>`

/** The rows of a group as a table (CDA R2, Narrative Block). All that a reader of the release's PDF sees is in it. */
export const tableXml = function*(title: string | null, rows: ReadonlyArray<NamedRow>): Generator<string> {
  yield `<table>${title === null ? "" : `<caption>${escaped(title)}</caption>`}${head}<tbody>`
  for (const row of rows) yield rowXml(row)
  yield "</tbody></table>"
}

const rowXml = ({ id, row }: NamedRow) => {
  const { code, dates, details, flags, status, title } = row
  const dosage = dosageOf(row)
  const cells = [
    linesXml([title, ...code === null ? [] : [code]]),
    linesXml([...flags, ...status === null ? [] : [status]]),
    linesXml(dates.map(labelled)),
    [
      ...dosage.length === 0 ? [] : [`<content ID="${dosageId(id)}">${linesXml(dosage.map(labelled))}</content>`],
      ...details.filter((one) => !dosage.includes(one)).map((one) => linesXml([labelled(one)]))
    ].join("<br/>")
  ]
  return `<tr ID="${id}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
}

/** The details of a row that tell how a medication is taken. */
export const dosageOf = ({ details }: Row): ReadonlyArray<Labelled> =>
  details.filter(({ label }) => label.startsWith("Dosage"))

/** The dosage's identifier in the text of the section. */
export const dosageId = (row: string): string => `${row}d`

const labelled = ({ label, text }: Labelled) => `${label}: ${text}`

/** A line break of a recorded text would be a space in a Narrative Block. */
const linesXml = (lines: ReadonlyArray<string>) =>
  lines.flatMap((line) => line.split(/\r\n|\r|\n/)).map(escaped).join("<br/>")
