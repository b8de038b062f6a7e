import { sizeOf } from "../../clinical/Attachment.ts"
import { rowOf } from "../../clinical/Reading.ts"
import type { Entry, Labelled, Row, SectionType } from "../../clinical/Row.ts"
import { sectionTitles } from "../../clinical/Sections.ts"
import { titlesOf } from "../../clinical/Titles.ts"
import { alerts } from "../../domain/Alert.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import type { Block } from "../pdf/Lines.ts"
import type { Cell } from "../pdf/Table.ts"
import { minuteOf } from "../platform/Instants.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import { completeness, plural } from "./ReleaseWords.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

/** The parts of the authorization that the record's pages repeat. */
export type RecordHead = Pick<SignedAuthorization, "information" | "record" | "signedAt" | "veteran">

/** Lays out the released items (released-record.md), the same in every copy. Only one item is in memory at a time. */
export const recordPages = async function*(head: RecordHead, record: ReleasedRecord): AsyncGenerator<Block> {
  yield* summary(head, record)
  const titleOf = titlesOf(record.entries)
  for (const section of runsOf(record.entries, ({ section }) => section)) {
    const { section: type } = section[0]!
    yield { kind: "heading", level: 2, text: sectionTitles[type] }
    for (const group of runsOf(section, ({ group }) => group)) {
      const { groupTitle } = group[0]!
      if (groupTitle !== null) yield { kind: "heading", level: 3, text: groupTitle }
      const { cells, headers, widths } = type === "laboratory" ? laboratory : isFinding.has(type) ? findings : items
      yield { kind: "table", headers, widths: widths(type), rows: rowsOf(group, record, titleOf, cells) }
    }
  }
}

const rowsOf = async function*(
  entries: ReadonlyArray<ReleasedRecord["entries"][number]>,
  record: ReleasedRecord,
  titleOf: ReturnType<typeof titlesOf>,
  cells: (row: Row, entry: Entry) => ReadonlyArray<Cell>
) {
  for (const entry of entries) {
    const row = rowOf(entry.resourceType, entry.fhirId, await record.text(entry), titleOf)
    yield cells(row, entry)
  }
}

const runsOf = function*<A>(list: ReadonlyArray<A>, key: (one: A) => string) {
  let from = 0
  for (let at = 1; at <= list.length; at++) {
    if (at < list.length && key(list[at]!) === key(list[from]!)) continue
    yield list.slice(from, at)
    from = at
  }
}

const isFinding: ReadonlySet<SectionType> = new Set(["vital-signs", "observations"])

/** Labels of details that are not results of an observation or report. Details with any other label are results. */
const isBeside: ReadonlySet<string> = new Set([
  "Interpretation",
  "Derived from",
  "Note",
  "Body site",
  "Method",
  "Specimen",
  "Device",
  "Focus",
  "Performed by",
  "Category",
  "Document",
  "Imaging",
  "Pictures",
  "Asked for by",
  "Interpreted by"
])

const resultCells = (row: Row, { groupTitle }: Entry, isInColumn: (detail: Labelled) => boolean) => {
  const [date, ...dates] = row.dates
  const details = row.details.filter((detail) => !isInColumn(detail))
  return {
    when: [
      { text: date?.text ?? "No date" },
      ...row.title === groupTitle ? [] : [{ text: row.title, bold: true }]
    ],
    found: [
      ...details.filter(({ label }) => !isBeside.has(label)).map((detail) =>
        detail.label === "Value" ? { text: detail.text } : line(detail)
      ),
      ...flagsOf(row)
    ],
    beside: [
      ...dates.map(line),
      ...details.filter(({ label }) => isBeside.has(label)).map(line),
      ...filesOf(row),
      ...statusOf(row)
    ]
  }
}

const isRange = ({ label }: Labelled) => label === "Reference range"

const laboratory = {
  headers: ["Date", "Result", "Reference range", "Details"],
  widths: () => [28, 29, 14, 29],
  cells: (row: Row, entry: Entry): ReadonlyArray<Cell> => {
    const { beside, found, when } = resultCells(row, entry, isRange)
    return [when, found, row.details.filter(isRange).map(({ text }) => ({ text })), beside]
  }
}

/** Few values outside the laboratory have a reference range, so it has no column: it is shown in the value's cell. */
const findings = {
  headers: ["Date", "Result", "Details"],
  widths: () => [28, 36, 36],
  cells: (row: Row, entry: Entry): ReadonlyArray<Cell> => {
    const { beside, found, when } = resultCells(row, entry, () => false)
    return [when, found, beside]
  }
}

const items = {
  headers: ["What", "When", "Details"],
  // Few problems have details, so the columns of names and dates are wider.
  widths: (type: SectionType) => type === "problems" ? [38, 36, 26] : [33, 31, 36],
  cells: (row: Row): ReadonlyArray<Cell> => [
    [{ text: row.title, bold: true }, ...flagsOf(row), ...statusOf(row)],
    row.dates.length === 0 ? [{ text: "No date" }] : onceEach(row.dates).map(line),
    [...row.details.map(line), ...filesOf(row)]
  ]
}

const statusOf = ({ code, status }: Row) => {
  const texts = [status, code].filter((text) => text !== null)
  return texts.length === 0 ? [] : [{ text: texts.join(", ") }]
}

/** Joins labels of the same moment: `Onset, recorded: 2019-03-15`. */
const onceEach = (dates: ReadonlyArray<Labelled>): ReadonlyArray<Labelled> =>
  [...Map.groupBy(dates, ({ text }) => text)].map(([text, same]) => ({
    label: same.map(({ label }, index) => index === 0 ? label : label.toLowerCase()).join(", "),
    text
  }))

const line = ({ label, text }: Labelled) => ({ text: `${label}: ${text}` })

const flagsOf = ({ flags }: Row) => flags.map((text) => ({ text, bold: true }))

/** A document inside a resource is not shown. A reader finds it in the attached record.fhir.json. */
const filesOf = ({ files }: Row) =>
  files.map(({ base64, contentType, title }) => ({
    text: `File: ${title}${contentType === null ? "" : `, ${contentType}`}, ${
      plural(sizeOf(base64), "byte")
    }, in record.fhir.json`
  }))

const summary = function*(
  { information, record, signedAt, veteran }: RecordHead,
  released: ReleasedRecord
): Generator<Block> {
  const { dateFrom, dateTo } = information
  const counts = new Map<string, number>()
  for (const { resourceType } of released.entries) counts.set(resourceType, (counts.get(resourceType) ?? 0) + 1)
  const isWhole = dateFrom === null && dateTo === null

  yield { kind: "heading", level: 1, text: "Health record" }
  for (const text of warnings(record)) yield { kind: "warning", text }
  yield { kind: "heading", level: 2, text: "Summary" }
  yield {
    kind: "list",
    labels: 140,
    items: [
      ["Whose record", veteran.fullName],
      ["Date of birth", veteran.dateOfBirth],
      ["As of", minuteOf(signedAt)],
      ["Dates",
        isWhole ? "all" : [dateFrom && `from ${dateFrom}`, dateTo && `through ${dateTo}`].filter(Boolean).join(" ")],
      ["Items", plural(released.entries.length, "item")]
    ]
  }
  if (!isWhole && released.undated > 0) {
    yield {
      kind: "paragraph",
      text: `${plural(released.undated, "item")} without a date ${released.undated === 1 ? "was" : "were"} left out.`
    }
  }
  yield {
    kind: "table",
    headers: ["Kind of record", "Items here", "At the service"],
    widths: [32, 14, 54],
    rows: record.map((entry) => [
      [{ text: wordsFor(entry.resourceType), bold: true }, { text: entry.resourceType }],
      [{ text: String(counts.get(entry.resourceType) ?? 0) }],
      [{ text: completeness(entry) }]
    ])
  }
  yield {
    kind: "paragraph",
    text: "Every item is in the file record.fhir.json that is attached to the release, as it was received (FHIR R4). " +
      "Dates, numbers and units are shown as they were recorded."
  }
}

/** Facts that a reader must know before the record (contract, part 5). */
const warnings = (record: SignedAuthorization["record"]): ReadonlyArray<string> => {
  const fetched = record.filter(({ lastFetch }) => lastFetch !== null)
  const manifest = Object.fromEntries(fetched.map((entry) => [entry.resourceType, entry])) as unknown as Manifest
  const inWords = (resourceType: string, message: string) =>
    `${wordsFor(resourceType)}${message.slice(resourceType.length)}`
  return [
    ...alerts(manifest).map(({ message, resourceType }) => inWords(resourceType, message)),
    ...record.filter(({ state }) => state === "unknown").map(({ resourceType }) =>
      `${wordsFor(resourceType)}: could not be loaded.`
    )
  ]
}
