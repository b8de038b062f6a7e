import { escaped } from "./CcdaXml.ts"
import type { Row } from "./Row.ts"

export const paragraph = (text: string): string => `<paragraph>${escaped(text)}</paragraph>`

interface NamedRow {
  readonly id: string
  readonly row: Row
}

const head = `<thead><tr>${
  ["Item", "Status", "Dates", "Details"].map((title) => `<th>${title}</th>`).join("")
}</tr></thead>`

/** The rows of a group as a table (CDA R2, Narrative Block). All that a reader of the release's PDF sees is in it. */
export const tableXml = (title: string | null, rows: ReadonlyArray<NamedRow>): string =>
  `<table>${title === null ? "" : `<caption>${escaped(title)}</caption>`}${head}<tbody>${
    rows.map(rowXml).join("")
  }</tbody></table>`

const rowXml = ({ id, row: { code, dates, details, flags, status, title } }: NamedRow) => {
  const cells = [
    [title, ...code === null ? [] : [code]],
    [...flags, ...status === null ? [] : [status]],
    dates.map(({ label, text }) => `${label}: ${text}`),
    details.map(({ label, text }) => `${label}: ${text}`)
  ]
  return `<tr ID="${id}">${cells.map((lines) => `<td>${lines.map(escaped).join("<br/>")}</td>`).join("")}</tr>`
}
