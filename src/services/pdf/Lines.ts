import { type PDFContext, PDFHexString, type PDFRef } from "pdf-lib"
import type { Cluster } from "./Cluster.ts"
import { Fonts } from "./Fonts.ts"
import { linesOf } from "./LineBreaks.ts"
import { fixed } from "./Pen.ts"
import type { Picture } from "./Picture.ts"
import { shape } from "./Shaping.ts"
import { type Tag, Tags } from "./Tags.ts"
import type { Weight } from "./Typeface.ts"

export type Block =
  | { readonly kind: "title" | "heading" | "paragraph" | "warning"; readonly text: string }
  | {
    readonly kind: "list"
    /** The labels' column is so many points wide. */
    readonly labels: number
    readonly items: ReadonlyArray<readonly [label: string, text: string]>
  }
  | { readonly kind: "picture"; readonly picture: Picture; readonly alt: string; readonly indent: number }

/** A line's pieces stand side by side, and no page break parts them. Lengths are points of 1/72 inch. */
export interface Line {
  readonly height: number
  /** So much is left free above it, except at the top of a page. */
  readonly gap: number
  /** It stays on one page with the line that follows. */
  readonly keep: boolean
  readonly pieces: ReadonlyArray<Piece>
}

export interface Piece {
  /** It belongs to this element; an artifact belongs to none (ISO 32000-1, 14.8.2.2). */
  readonly tag: Tag | "artifact"
  readonly draw: (top: number) => string
}

export interface Style {
  readonly font: Weight
  readonly size: number
  /** It is at least 1.362 times the size, by Noto Sans's ascent and descent, or lines overlap. */
  readonly leading: number
  readonly color: string
}

const black = "0 0 0"

const blue = "0.1 0.22 0.42"

const gray = "0.3 0.3 0.3"

const red = "0.6 0.07 0.07"

/** No text is smaller than 11 points (roi-authorization.md). */
export const styles = {
  title: { font: "bold", size: 18, leading: 26, color: blue },
  heading: { font: "bold", size: 12.5, leading: 21, color: blue },
  body: { font: "regular", size: 11, leading: 15, color: black },
  label: { font: "regular", size: 11, leading: 15, color: gray },
  warning: { font: "bold", size: 11, leading: 15, color: red }
} as const satisfies Record<string, Style>

const largestPicture = { width: 260, height: 90 }

/** Sets blocks in lines of one column, and tags them. */
export class Lines {
  readonly tags: Tags
  readonly fonts = new Fonts()
  readonly pictures: Array<PDFRef> = []
  private readonly context: PDFContext
  private readonly left: number
  private readonly width: number

  constructor(context: PDFContext, left: number, width: number) {
    this.context = context
    this.left = left
    this.width = width
    this.tags = new Tags(context)
  }

  of(block: Block): ReadonlyArray<Line> {
    switch (block.kind) {
      case "title":
        return this.text(block.text, styles.title, this.tags.add("H1")).map((line) => ({ ...line, keep: true }))
      case "heading":
        return this.text(block.text, styles.heading, this.tags.add("H2")).map((line, index) => ({
          ...line,
          gap: index === 0 ? 11 : 0,
          keep: true,
          pieces: index === 0 ? [this.rule(), ...line.pieces] : line.pieces
        }))
      case "paragraph":
        return this.text(block.text, styles.body, this.tags.add("P"))
      case "warning":
        return this.text(block.text, styles.warning, this.tags.add("P"), 12).map((line) => ({
          ...line,
          pieces: [this.bar(line.height), ...line.pieces]
        }))
      case "list": {
        const list = this.tags.add("L")
        return block.items.flatMap(([label, text], index) =>
          this.item(label, text, block.labels, list, index === 0 ? 6 : 3)
        )
      }
      case "picture":
        return [this.picture(block.picture, block.alt, this.left + block.indent)]
    }
  }

  /** Breaks text into lines no wider than `width`. */
  wrap(text: string, style: Style, width: number): Array<ReadonlyArray<Cluster>> {
    return text.normalize("NFC")
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replace(/[ \t]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
      .replaceAll("\n", " \n")
      .split("\n")
      .flatMap((line) => linesOf(shape(line, style.font), width * 1000 / style.size))
  }

  show(line: ReadonlyArray<Cluster>, style: Style, x: number): Piece["draw"] {
    return (top) => {
      // Noto Sans's letters span 1.069 above and 0.293 below the baseline.
      const baseline = top - style.leading / 2 - 0.388 * style.size
      return `BT ${style.color} rg\n${this.fonts.show(line, x, baseline, style.size)}\nET\n`
    }
  }

  rule(): Piece {
    return {
      tag: "artifact",
      draw: (top) =>
        `0.75 w 0.6 0.65 0.72 RG ${this.left} ${fixed(top)} m ${this.left + this.width} ${fixed(top)} l S\n`
    }
  }

  private bar(height: number): Piece {
    return {
      tag: "artifact",
      draw: (top) => `${styles.warning.color} rg ${this.left} ${fixed(top - height)} 3 ${height} re f\n`
    }
  }

  private text(text: string, style: Style, tag: Tag, indent = 0): ReadonlyArray<Line> {
    return this.wrap(text, style, this.width - indent).map((line, index, lines) => ({
      height: style.leading,
      gap: index === 0 ? 6 : 0,
      keep: together(index, lines.length) || text.endsWith(":"),
      pieces: [{ tag, draw: this.show(line, style, this.left + indent) }]
    }))
  }

  private item(label: string, text: string, labels: number, list: Tag, gap: number): ReadonlyArray<Line> {
    const item = this.tags.add("LI", list)
    const column = (tag: Tag, text: string, style: Style, x: number, width: number) =>
      this.wrap(text, style, width).map((line) => ({ tag, draw: this.show(line, style, this.left + x) }))
    const left = column(this.tags.add("Lbl", item), label, styles.label, 0, labels - 10)
    const right = column(this.tags.add("LBody", item), text, styles.body, labels, this.width - labels)
    const count = Math.max(left.length, right.length)
    return Array.from({ length: count }, (_, index) => ({
      height: styles.body.leading,
      gap: index === 0 ? gap : 0,
      keep: together(index, count),
      pieces: [left[index], right[index]].filter((piece) => piece !== undefined)
    }))
  }

  private picture({ deflated, height, width }: Picture, alt: string, left: number): Line {
    const scale = Math.min(largestPicture.width / width, largestPicture.height / height, 1)
    const [shownWidth, shownHeight] = [width * scale, height * scale]
    const name = `P${this.pictures.length}`
    const stream = this.context.stream(deflated, {
      Filter: "FlateDecode",
      Type: "XObject",
      Subtype: "Image",
      Width: width,
      Height: height,
      ColorSpace: "DeviceRGB",
      BitsPerComponent: 8
    })
    this.pictures.push(this.context.register(stream))
    const tag = this.tags.add("Figure", this.tags.document, { Alt: PDFHexString.fromText(alt) })
    const draw = (top: number) => {
      const bottom = top - shownHeight
      const box = [left, bottom, left + shownWidth, top]
      tag.entries["A"] = this.context.obj({ O: "Layout", Placement: "Block", BBox: box })
      return `q ${fixed(shownWidth)} 0 0 ${fixed(shownHeight)} ${left} ${fixed(bottom)} cm /${name} Do Q\n`
    }
    return { height: shownHeight, gap: 6, keep: false, pieces: [{ tag, draw }] }
  }
}

/** Neither the first nor the last line of several stands alone on a page. */
const together = (index: number, count: number) => (index === 0 && count > 1) || index === count - 2
