import { type Column, column, type Line, type Piece, rule, staysTogether } from "./Line.ts"
import { type Style, styles } from "./Style.ts"
import type { Tag } from "./Tags.ts"

export interface Table {
  readonly kind: "table"
  /** What the table is of. On each further page, `Sodium, continued` stands above the headers. */
  readonly title?: string
  /** What holds for every row. It stands above the headers, and again on each further page if it is short. */
  readonly caption?: string
  /** The headers of the columns, repeated on each page of the table. */
  readonly headers: ReadonlyArray<string>
  /** Each column's share of the width. */
  readonly widths: ReadonlyArray<number>
  /** Each row has a cell for each header. Only one row is in memory at a time. */
  readonly rows: Iterable<ReadonlyArray<Cell>> | AsyncIterable<ReadonlyArray<Cell>>
}

/** Texts below each other; an empty array is an empty cell. */
export type Cell = ReadonlyArray<{ readonly text: string; readonly bold?: boolean }>

/** Points between columns. With less space, poppler joins the words of two cells. */
const gutter = 14

const rowGap = 4

/** A caption of at most this many lines is repeated. */
const shortCaption = 3

/** A row of at most this many lines stays on one page. A longer row may break, so that pages are not left empty. */
const wholeRow = 10

/** Sets a table row by row. Screen readers read each column's header with its cells (ISO 32000-1, 14.8.4.3.4). */
export const tableLines = async function*(
  { caption, headers, rows, title, widths }: Table,
  where: Column,
  section: Tag | undefined
): AsyncGenerator<ReadonlyArray<Line>> {
  const { left, tags, width } = where
  const above = (text: string | undefined, style: Style, tag: () => Tag | "artifact"): ReadonlyArray<Line> =>
    text === undefined ? [] : column(where, tag(), text, style, left, width).map((piece) => ({
      height: style.leading,
      gap: 0,
      keep: true,
      pieces: [piece]
    }))
  // A paragraph, because readers that show a table's rows alone leave out its Caption element.
  const captioned = above(caption, styles.cell, () => tags.open("P", section))
  yield captioned

  const table = tags.open("Table", section)
  const share = (width + gutter) / widths.reduce((sum, width) => sum + width, 0)
  const lefts = widths.map((_, index) => left + share * widths.slice(0, index).reduce((sum, width) => sum + width, 0))

  const set = (tag: Tag, text: string, style: Style, index: number) =>
    column(where, tag, text, style, lefts[index]!, share * widths[index]! - gutter)
  const row = (cells: ReadonlyArray<ReadonlyArray<Piece>>): ReadonlyArray<ReadonlyArray<Piece>> =>
    Array.from(
      { length: Math.max(1, ...cells.map(({ length }) => length)) },
      (_, line) => cells.flatMap((cell) => cell[line] ?? [])
    )
  const ruled = (weight: number): Piece => ({
    tag: "artifact",
    draw: (top) => rule(left, width, top + rowGap / 2, weight)
  })

  const head = tags.open("TR", table)
  const heads = row(
    headers.map((text, index) =>
      set(tags.open("TH", head, "/A<</O/Table/Scope/Column>>"), text, styles.columnHeader, index)
    )
  )
  tags.close(head)
  const { leading } = styles.cell
  const header = heads.map((pieces, index): Line => ({
    height: leading,
    gap: index === 0 ? rowGap : 0,
    keep: true,
    pieces
  }))
  yield header
  const again = [
    ...above(title === undefined ? undefined : `${title}, continued`, styles.subheading, () => "artifact"),
    ...captioned.length > shortCaption ? [] : captioned,
    ...header
  ].map((line) => ({
    ...line,
    pieces: line.pieces.map(({ draw }) => ({ tag: "artifact", draw }) as const)
  }))

  for await (const cells of rows) {
    const line = tags.open("TR", table)
    const lines = row(cells.map((texts, index) => {
      const cell = tags.open("TD", line)
      const pieces = texts.flatMap(({ bold, text }) =>
        set(texts.length === 1 ? cell : tags.open("P", cell), text, bold === true ? styles.strong : styles.cell, index)
      )
      // Several texts are separate paragraphs, so that they are not read as one. A single text needs no paragraph.
      if (texts.length !== 1) tags.close(cell)
      return pieces.map((piece) => ({ ...piece, cell }))
    }))
    tags.close(line)
    yield lines.map((pieces, index): Line => ({
      height: leading,
      gap: index === 0 ? rowGap : 0,
      keep: lines.length <= wholeRow ? index < lines.length - 1 : staysTogether(index, lines.length),
      pieces: index === 0 ? [ruled(0.5), ...pieces] : pieces,
      again
    }))
  }
  tags.close(table)
}
