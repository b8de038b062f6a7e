import { sizeOf } from "../../clinical/Attachment.ts"
import type { Entry, Labelled, Row, SectionType } from "../../clinical/Row.ts"
import { sectionTitles } from "../../clinical/Sections.ts"
import type { Cell, Table } from "../pdf/Table.ts"
import { isSoonAfter } from "./RecordedMoment.ts"
import { plural } from "./ReleaseWords.ts"
import { isShared, TableSurvey, type Text, type Texts } from "./TableSurvey.ts"

interface Layout {
  readonly headers: ReadonlyArray<string>
  /** Shares of the width that the columns may have. */
  readonly widths: ReadonlyArray<ReadonlyArray<number>>
  readonly texts: (row: Row, entry: Entry) => Texts
}

/**
 * Lays out a group of items as a table (released-record.md, "On paper"). What is equal in all rows is told once in the
 * head, and a column without any other text is left out. So the rows are read twice, and not all are in memory.
 */
export const tableOf = async <E extends Entry>(
  group: ReadonlyArray<E>,
  rowOf: (entry: E) => Promise<Row>
): Promise<Table> => {
  const { groupTitle, section } = group[0]!
  const { headers, texts, widths } = layoutOf(section)
  const textsOf = async (entry: E) => texts(await rowOf(entry), entry)
  const survey = new TableSurvey(widths, group.length === 1 && !isOfResults(section))
  const kept = new KeptTexts()
  for (const entry of group) {
    const texts = await textsOf(entry)
    survey.add(texts)
    kept.add(entry, texts)
  }
  const { shared } = survey
  const shown = [...headers.keys()].filter((index) => !survey.isEmpty(index))
  const pair = isOfResults(section) && group.length >= longTable ? survey.pairOf(shown) : undefined
  const rows = async function*() {
    for (const entry of group) {
      const cells = kept.of(entry) ?? await textsOf(entry)
      yield shown.map((index) => cells[index]!.filter((text) => !isShared(text, shared)))
    }
  }
  const table = {
    kind: "table",
    title: groupTitle === null
      ? sectionTitles[section]
      : isOfResults(section)
      ? groupTitle
      : `${sectionTitles[section]}: ${groupTitle}`,
    ...shared.size > 0 && { caption: captionOf([...shared], group.length) },
    headers: shown.map((index) => headers[index]!)
  } as const
  return pair === undefined
    ? { ...table, widths: survey.widthsOf(shown), rows: rows() }
    : { ...table, headers: [...table.headers, ...table.headers], widths: [...pair, ...pair], rows: inPairs(rows()) }
}

/** Keeps the texts of a table's first rows, so that most tables are read once. */
class KeptTexts {
  private readonly texts = new Map<Entry, Texts>()
  private letters = 0

  add(entry: Entry, texts: Texts): void {
    this.letters += texts.flat().reduce((sum, { text }) => sum + text.length, 0)
    if (this.letters <= maxKeptLetters) this.texts.set(entry, texts)
  }

  of(entry: Entry): Texts | undefined {
    return this.texts.get(entry)
  }
}

const maxKeptLetters = 2_000_000

/** A table of results with fewer rows stays one below the other. */
const longTable = 8

const inPairs = async function*(rows: AsyncIterable<ReadonlyArray<Cell>>) {
  let left: ReadonlyArray<Cell> | undefined
  for await (const row of rows) {
    if (left !== undefined) yield [...left, ...row]
    left = left === undefined ? row : undefined
  }
  if (left !== undefined) yield [...left, ...left.map(() => [])]
}

const captionOf = (shared: ReadonlyArray<string>, rows: number) =>
  `${rows === 1 ? "" : `In all ${plural(rows, "row")}: `}${shared.join("; ")}`

const isFinding: ReadonlySet<SectionType> = new Set(["vital-signs", "observations"])

const isOfResults = (section: SectionType) => section === "laboratory" || isFinding.has(section)

const layoutOf = (section: SectionType): Layout =>
  section === "laboratory" ? laboratory : isFinding.has(section) ? findings : items

/** Labels of an observation or report that are not its result. Components have other labels and count as results. */
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

const resultTexts = (row: Row, { groupTitle }: Entry, isInColumn: (detail: Labelled) => boolean) => {
  const [date, ...dates] = row.dates
  const details = row.details.filter((detail) => !isInColumn(detail))
  const isNamed = row.title === groupTitle || groupTitle?.endsWith(`: ${row.title}`) === true
  return {
    when: [
      { text: date === undefined ? "No date" : date.label === "Date" ? date.text : `${date.label}: ${date.text}` },
      ...isNamed ? [] : [{ text: row.title, bold: true, shared: row.title }]
    ],
    found: [
      ...details.filter(({ label }) => !isBeside.has(label)).map((detail) =>
        detail.label === "Value" ? { text: detail.text } : detail.label === "Results" ? flowing(detail) : line(detail)
      ),
      ...flagsOf(row)
    ],
    beside: [
      ...dates.filter(({ label, text }) => label !== "Issued" || !isSoonAfter(text, date?.text)).map(line),
      ...details.filter(({ label }) => isBeside.has(label)).map(shareable),
      ...filesOf(row),
      ...statusOf(row)
    ]
  }
}

const isRange = ({ label }: Labelled) => label === "Reference range"

const laboratory: Layout = {
  headers: ["Date", "Result", "Reference range", "Details"],
  widths: [[28, 29, 14, 29], [28, 20, 14, 38], [24, 46, 12, 18], [22, 58, 10, 10], [22, 18, 10, 50]],
  texts: (row, entry) => {
    const { beside, found, when } = resultTexts(row, entry, isRange)
    const ranges = row.details.filter(isRange).map((range) => ({ text: range.text, shared: line(range).text }))
    return [when, found, ranges, beside]
  }
}

/** Few values outside the laboratory have a range, so it has no column and is in the value's cell. */
const findings: Layout = {
  headers: ["Date", "Result", "Details"],
  widths: [[28, 36, 36], [24, 56, 20], [24, 22, 54]],
  texts: (row, entry) => {
    const { beside, found, when } = resultTexts(row, entry, () => false)
    return [when, found, beside]
  }
}

const items: Layout = {
  headers: ["What", "When", "Details"],
  widths: [[33, 31, 36], [38, 36, 26], [30, 38, 32], [38, 30, 32], [26, 30, 44], [30, 24, 46], [24, 22, 54], [18, 16,
    66], [48, 26, 26]],
  texts: (row) => [
    [{ text: row.title, bold: true }, ...flagsOf(row), ...statusOf(row)],
    row.dates.length === 0 ? [{ text: "No date" }] : onceEach(row.dates).map(line),
    [...row.details.map(shareable), ...filesOf(row)]
  ]
}

/** A status that must not be overlooked is a flag already. */
const statusOf = ({ code, flags, status }: Row): ReadonlyArray<Text> =>
  [status, code].flatMap((text) => text === null || flags.includes(text) ? [] : [{ text, shared: text }])

/** Joins labels of the same moment: `Onset, recorded: 2019-03-15`. */
const onceEach = (dates: ReadonlyArray<Labelled>): ReadonlyArray<Labelled> =>
  [...Map.groupBy(dates, ({ text }) => text)].map(([text, same]) => ({
    label: same.map(({ label }, index) => index === 0 ? label : label.toLowerCase()).join(", "),
    text
  }))

const line = ({ label, text }: Labelled): Text => ({ text: `${label}: ${text}` })

const shareable = (detail: Labelled): Text => ({ ...line(detail), shared: line(detail).text })

/** A report has many results, which take less paper in a row. */
const flowing = ({ label, text }: Labelled): Text => line({ label, text: text.replaceAll("\n", "; ") })

const flagsOf = ({ flags }: Row): ReadonlyArray<Text> => flags.map((text) => ({ text, bold: true }))

/** A document inside a resource is not shown. A reader finds it in the attached record.fhir.json. */
const filesOf = ({ files }: Row): ReadonlyArray<Text> =>
  files.map(({ base64, contentType, title }) => ({
    text: `File: ${title}${contentType === null ? "" : `, ${contentType}`}, ${
      plural(sizeOf(base64), "byte")
    }, in record.fhir.json`
  }))
