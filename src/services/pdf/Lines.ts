import { type Column, column, type Line, type Piece, rule, staysTogether } from "./Line.ts"
import { Objects } from "./Objects.ts"
import { pdfNumber } from "./Pen.ts"
import type { Picture } from "./Picture.ts"
import { type Style, styles } from "./Style.ts"
import { type Cell, type Table, tableLines } from "./Table.ts"
import { type Tag, Tags } from "./Tags.ts"
import { textString } from "./Text.ts"

export type Block =
  | { readonly kind: "heading"; readonly level: Level; readonly text: string }
  | { readonly kind: "paragraph" | "warning"; readonly text: string }
  | {
    readonly kind: "list"
    /** Width of the labels' column, in points. */
    readonly labels: number
    readonly items: ReadonlyArray<readonly [label: string, text: string]>
  }
  | {
    /** Short entries: each a title, and texts below it. */
    readonly kind: "entries"
    readonly items: ReadonlyArray<Cell>
  }
  | Table
  /** Blocks side by side, which no page break separates. */
  | { readonly kind: "columns"; readonly columns: ReadonlyArray<ReadonlyArray<Block>> }
  /** The first version that fits on one page, where it then stands whole; if none does, the last one. */
  | { readonly kind: "fit"; readonly versions: ReadonlyArray<ReadonlyArray<Block>> }
  | { readonly kind: "picture"; readonly picture: Picture; readonly alt: string; readonly indent: number }

/** Level 1 is the heading of a document or a long part. Levels 1 and 2 have bookmarks. */
type Level = 1 | 2 | 3

const headingStyles = { 1: styles.title, 2: styles.heading, 3: styles.subheading }

const headingGaps = { 1: 6, 2: 11, 3: 9 }

/** Points between two texts on one line. */
const wordSpace = 5

/** Points between columns of blocks. */
const gutter = 18

const maxPicture = { width: 260, height: 90 }

/** Turns blocks into tagged lines. A heading's section ends at the next heading of the same or a higher level. */
export class Lines {
  /** The object numbers of pictures, by their names in pages' resources. */
  readonly pictures = new Map<string, number>()
  private readonly column: Column
  private readonly objects: Objects
  /** The height of a page, in points. */
  private readonly height: number
  /** The element around all blocks. */
  private readonly around: Tag | undefined
  private readonly sections: Array<{ readonly level: Level; readonly tag: Tag }> = []

  constructor(column: Column, objects: Objects, height: number, around?: Tag) {
    this.column = column
    this.objects = objects
    this.height = height
    this.around = around
  }

  /** Yields all lines of a block together. A table is yielded row by row. */
  async *of(blocks: Iterable<Block> | AsyncIterable<Block>): AsyncGenerator<ReadonlyArray<Line>> {
    yield* this.set(blocks)
    this.endSections(1)
  }

  private async *set(blocks: Iterable<Block> | AsyncIterable<Block>): AsyncGenerator<ReadonlyArray<Line>> {
    for await (const block of blocks) {
      if (block.kind === "table") yield* tableLines(block, this.column, this.section)
      else if (block.kind === "fit") yield* this.fitting(block.versions)
      else yield await this.block(block)
    }
  }

  private async *fitting(versions: ReadonlyArray<ReadonlyArray<Block>>): AsyncGenerator<ReadonlyArray<Line>> {
    for (const version of versions) {
      // Nothing of this trial is written: its tags and objects are of no file.
      const objects = new Objects({ last: 0 }, [])
      const trial = new Lines({ ...this.column, tags: new Tags(objects, 0) }, objects, this.height)
      if (heightOf(await allOf(trial.of(version))) > this.height) continue
      const lines = await allOf(this.set(version))
      yield lines.map((line, index) => ({ ...line, keep: index < lines.length - 1 }))
      return
    }
    yield* this.set(versions.at(-1) ?? [])
  }

  private async block(block: Exclude<Block, Table | { readonly kind: "fit" }>): Promise<ReadonlyArray<Line>> {
    switch (block.kind) {
      case "columns":
        return [await this.columns(block.columns)]
      case "entries":
        return this.entries(block.items)
      case "heading":
        return this.heading(block.level, block.text)
      case "paragraph":
        return this.text(block.text, styles.body)
      case "warning":
        return this.text(block.text, styles.warning, 12).map((line) => ({
          ...line,
          pieces: [this.bar(line.height), ...line.pieces]
        }))
      case "list": {
        const list = this.column.tags.open("L", this.section)
        const lines = block.items.flatMap(([label, text], index) =>
          this.item(label, text, block.labels, list, index === 0 ? 6 : 3)
        )
        this.column.tags.close(list)
        return lines
      }
      case "picture":
        return [await this.picture(block.picture, block.alt, this.column.left + block.indent)]
    }
  }

  private get section(): Tag | undefined {
    return this.sections.at(-1)?.tag ?? this.around
  }

  private endSections(level: Level): void {
    while ((this.sections.at(-1)?.level ?? 0) >= level) this.column.tags.close(this.sections.pop()!.tag)
  }

  private heading(level: Level, text: string): ReadonlyArray<Line> {
    const { left, tags, width } = this.column
    this.endSections(level)
    this.sections.push({ level, tag: tags.open("Sect", this.section) })
    const style = headingStyles[level]
    const pieces = column(this.column, tags.open(`H${level}`, this.section), text, style, left, width)
    return pieces.map((piece, index): Line => ({
      height: style.leading,
      gap: index === 0 ? headingGaps[level] : 0,
      keep: true,
      pieces: index === 0 && level === 2 ? [this.rule, piece] : [piece],
      ...index === 0 && level !== 3 && { bookmark: { level, title: text } }
    }))
  }

  private get rule(): Piece {
    const { left, width } = this.column
    return { tag: "artifact", draw: (top) => rule(left, width, top) }
  }

  private bar(height: number): Piece {
    const { left } = this.column
    const draw = (top: number) => `${styles.warning.color} rg ${left} ${pdfNumber(top - height)} 3 ${height} re f\n`
    return { tag: "artifact", draw }
  }

  private text(text: string, style: Style, indent = 0): ReadonlyArray<Line> {
    const { left, tags, width } = this.column
    const pieces = column(this.column, tags.open("P", this.section), text, style, left + indent, width - indent)
    return pieces.map((piece, index) => ({
      height: style.leading,
      gap: index === 0 ? 6 : 0,
      keep: staysTogether(index, pieces.length) || (text.endsWith(":") && index === pieces.length - 1),
      pieces: [piece]
    }))
  }

  private entries(items: ReadonlyArray<Cell>): ReadonlyArray<Line> {
    const { left, tags, width } = this.column
    const list = tags.open("L", this.section)
    const lines = items.flatMap((texts) => {
      const item = tags.open("LI", list)
      const body = tags.open("LBody", item)
      const rows: Array<ReadonlyArray<Piece>> = []
      let end = Infinity
      for (const { bold, text } of texts) {
        const style = bold === true ? styles.strong : styles.cell
        const last = this.endOf(text, style)
        // A short text follows the one before it on the same line.
        const indent = end + wordSpace + last <= width ? end + wordSpace : 0
        const pieces = column(this.column, tags.open("P", body), text, style, left + indent, width - indent)
        if (indent > 0) rows.push([...rows.pop()!, ...pieces])
        else rows.push(...pieces.map((piece) => [piece]))
        end = pieces.length === 1 ? indent + last : Infinity
      }
      tags.close(body)
      tags.close(item)
      return rows.map((pieces, index): Line => ({
        height: styles.cell.leading,
        gap: index === 0 ? 3 : 0,
        keep: index < rows.length - 1,
        pieces
      }))
    })
    tags.close(list)
    return lines
  }

  /** The width of a text that fits on one line, else infinity. */
  private endOf(text: string, style: Style): number {
    const { fonts, width } = this.column
    const [line, ...more] = fonts.wrap(text, style, width)
    return line === undefined || more.length > 0 || line[0]?.paragraphLevel === 1 ? Infinity : fonts.width(line, style)
  }

  /** Columns are one line, in which each line of a column has its place. They are read aloud one after the other. */
  private async columns(columns: ReadonlyArray<ReadonlyArray<Block>>): Promise<Line> {
    const width = (this.column.width + gutter) / columns.length - gutter
    const pieces: Array<Piece> = []
    let height = 0
    for (const [index, blocks] of columns.entries()) {
      const where = { ...this.column, left: this.column.left + index * (width + gutter), width }
      let at = 0
      for (const line of await allOf(new Lines(where, this.objects, this.height, this.section).of(blocks))) {
        const top = at + (at === 0 ? 0 : line.gap)
        pieces.push(...line.pieces.map((piece): Piece => ({ ...piece, draw: (from) => piece.draw(from - top) })))
        at = top + line.height
      }
      height = Math.max(height, at)
    }
    return { height, gap: 9, keep: false, pieces }
  }

  private item(label: string, text: string, labels: number, list: Tag, gap: number): ReadonlyArray<Line> {
    const { left, tags, width } = this.column
    const item = tags.open("LI", list)
    const labelled = column(this.column, tags.open("Lbl", item), label, styles.label, left, labels - 10)
    const body = column(this.column, tags.open("LBody", item), text, styles.body, left + labels, width - labels)
    tags.close(item)
    const count = Math.max(labelled.length, body.length)
    return Array.from({ length: count }, (_, index) => ({
      height: styles.body.leading,
      gap: index === 0 ? gap : 0,
      keep: staysTogether(index, count),
      pieces: [labelled[index], body[index]].filter((piece) => piece !== undefined)
    }))
  }

  private async picture({ deflated, height, width }: Picture, alt: string, left: number): Promise<Line> {
    const scale = Math.min(maxPicture.width / width, maxPicture.height / height, 1)
    const [shownWidth, shownHeight] = [width * scale, height * scale]
    const number = await this.objects.stream(
      deflated,
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8` +
        "/Filter/FlateDecode>>"
    )
    const name = `P${number}`
    this.pictures.set(name, number)
    const tag = this.column.tags.open("Figure", this.section)
    const draw = (top: number) => {
      const bottom = top - shownHeight
      const box = [left, bottom, left + shownWidth, top].map(pdfNumber).join(" ")
      tag.entries = `/Alt ${textString(alt)}/A<</O/Layout/Placement/Block/BBox[${box}]>>`
      return `q ${pdfNumber(shownWidth)} 0 0 ${pdfNumber(shownHeight)} ${left} ${pdfNumber(bottom)} cm /${name} Do Q\n`
    }
    return { height: shownHeight, gap: 6, keep: false, pieces: [{ tag, last: true, draw }] }
  }
}

const allOf = async (lines: AsyncIterable<ReadonlyArray<Line>>) => (await Array.fromAsync(lines)).flat()

const heightOf = (lines: ReadonlyArray<Line>) =>
  lines.reduce((sum, { gap, height }, index) => sum + height + (index === 0 ? 0 : gap), 0)
