import { type Column, column, type Line, type Piece, rule, together } from "./Line.ts"
import type { Objects } from "./Objects.ts"
import { fixed } from "./Pen.ts"
import type { Picture } from "./Picture.ts"
import { type Style, styles } from "./Style.ts"
import { type Table, tableLines } from "./Table.ts"
import type { Tag } from "./Tags.ts"
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
  | Table
  | { readonly kind: "picture"; readonly picture: Picture; readonly alt: string; readonly indent: number }

/** Level 1 is the heading of a document or a long part. Levels 1 and 2 have bookmarks. */
type Level = 1 | 2 | 3

const headingStyles = { 1: styles.title, 2: styles.heading, 3: styles.subheading }

const headingGaps = { 1: 6, 2: 11, 3: 9 }

const maxPicture = { width: 260, height: 90 }

/** Turns blocks into tagged lines. A heading's section ends at the next heading of the same or a higher level. */
export class Lines {
  /** The object numbers of pictures, by their names in pages' resources. */
  readonly pictures = new Map<string, number>()
  private readonly column: Column
  private readonly objects: Objects
  private readonly sections: Array<{ readonly level: Level; readonly tag: Tag }> = []

  constructor(column: Column, objects: Objects) {
    this.column = column
    this.objects = objects
  }

  /** Yields all lines of a block together. A table is yielded row by row. */
  async *of(blocks: Iterable<Block> | AsyncIterable<Block>): AsyncGenerator<ReadonlyArray<Line>> {
    for await (const block of blocks) {
      if (block.kind === "table") yield* tableLines(block, this.column, this.section)
      else yield await this.block(block)
    }
    this.endSections(1)
  }

  private async block(block: Exclude<Block, Table>): Promise<ReadonlyArray<Line>> {
    switch (block.kind) {
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
    return this.sections.at(-1)?.tag
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
    const draw = (top: number) => `${styles.warning.color} rg ${left} ${fixed(top - height)} 3 ${height} re f\n`
    return { tag: "artifact", draw }
  }

  private text(text: string, style: Style, indent = 0): ReadonlyArray<Line> {
    const { left, tags, width } = this.column
    const pieces = column(this.column, tags.open("P", this.section), text, style, left + indent, width - indent)
    return pieces.map((piece, index) => ({
      height: style.leading,
      gap: index === 0 ? 6 : 0,
      keep: together(index, pieces.length) || (text.endsWith(":") && index === pieces.length - 1),
      pieces: [piece]
    }))
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
      keep: together(index, count),
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
      const box = [left, bottom, left + shownWidth, top].map(fixed).join(" ")
      tag.entries = `/Alt ${textString(alt)}/A<</O/Layout/Placement/Block/BBox[${box}]>>`
      return `q ${fixed(shownWidth)} 0 0 ${fixed(shownHeight)} ${left} ${fixed(bottom)} cm /${name} Do Q\n`
    }
    return { height: shownHeight, gap: 6, keep: false, pieces: [{ tag, last: true, draw }] }
  }
}
