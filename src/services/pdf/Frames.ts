import type { Fonts } from "./Fonts.ts"
import { rule } from "./Line.ts"
import type { Objects } from "./Objects.ts"
import { pdfNumber } from "./Pen.ts"
import { styles } from "./Style.ts"

/** The text in the margins of every page of a file. */
export interface Frame {
  /** The text above the content, from the second page on. */
  readonly header: string
  /** The header of all parts but the first, if it is another one. */
  readonly laterHeader?: string
  /** The text below the content, beside "Page N of M". */
  readonly footer: ReadonlyArray<string>
  /** One line in the upper margin. */
  readonly watermark?: string
}

/** US Letter, in points of 1/72 inch. */
export const paper = { width: 612, height: 792 }

const margin = { side: 54, edge: 36 }

export const textColumn = { left: margin.side, width: paper.width - 2 * margin.side }

const pageNumberWidth = 120

const { leading } = styles.label

/** The frames of files that share pages. In all of these files, the content leaves space for the tallest frame. */
export class Frames {
  readonly top: number
  readonly bottom: number
  private readonly fonts: Fonts
  private readonly footerTop: number

  constructor(fonts: Fonts, frames: ReadonlyArray<Frame>) {
    this.fonts = fonts
    const lines = frames.map((frame) => this.linesOf(frame))
    const headers = Math.max(...lines.flatMap(({ header, later }) => [header.length, later.length]))
    this.footerTop = margin.edge + leading * Math.max(...lines.map(({ footer }) => footer.length))
    this.top = paper.height - margin.edge - headers * leading - 8
    this.bottom = this.footerTop + 12
  }

  private linesOf({ footer, header, laterHeader = header }: Frame) {
    const running = (text: string, width = textColumn.width) => this.fonts.wrap(text, styles.label, width)
    return {
      header: running(header),
      later: running(laterHeader),
      footer: footer.flatMap((text, index) =>
        running(text, index === 0 ? textColumn.width - pageNumberWidth : textColumn.width)
      )
    }
  }

  /**
   * Writes one file's frame, for parts of these numbers of pages. Pages with the same texts share a stream, and each
   * page has one with its number. Returns two streams for each page: one goes below the content, one above.
   */
  async write(
    frame: Frame,
    parts: ReadonlyArray<number>,
    objects: Objects
  ): Promise<ReadonlyArray<readonly [below: number, above: number]>> {
    const { fonts } = this
    const { footer, header, later } = this.linesOf(frame)
    const headers = Math.max(header.length, later.length)
    if (paper.height - margin.edge - headers * leading - 8 < this.top) throw new Error("the header has no room")
    if (margin.edge + footer.length * leading > this.footerTop) throw new Error("the footer has no room")
    const stamp = (lines: typeof header, top: number) =>
      lines.map((line, row) => fonts.show(line, styles.label, margin.side, top - row * leading)).join("")
    const always =
      artifact("Footer", rule(margin.side, textColumn.width, this.footerTop + 4) + stamp(footer, this.footerTop)) +
      (frame.watermark === undefined ? "" : artifact("Watermark", this.watermark(frame.watermark)))
    const first = await objects.deflated(always)
    const headed = (lines: typeof header) =>
      objects.deflated(artifact("Header", stamp(lines, paper.height - margin.edge)) + always)
    const others = await headed(header)
    const inLaterParts = frame.laterHeader === undefined ? others : await headed(later)
    const pages = parts.reduce((sum, count) => sum + count, 0)
    const streams: Array<readonly [number, number]> = []
    for (let page = 0; page < pages; page++) {
      const number = fonts.wrap(`Page ${page + 1} of ${pages}`, styles.label, pageNumberWidth)[0]!
      const left = paper.width - margin.side - fonts.width(number, styles.label)
      const shown = artifact("Footer", fonts.show(number, styles.label, left, this.footerTop))
      // The stream is too short to gain from deflating.
      const below = page === 0 ? first : page < parts[0]! ? others : inLaterParts
      streams.push([below, await objects.stream(Buffer.from(shown))])
    }
    return streams
  }

  private watermark(text: string): string {
    const line = this.fonts.wrap(text, styles.warning, textColumn.width)[0]!
    const left = (paper.width - this.fonts.width(line, styles.warning)) / 2
    return this.fonts.show(line, styles.warning, Number(pdfNumber(left)), paper.height - margin.edge + leading + 2)
  }
}

/** A repeated header or footer is an artifact (ISO 32000-1, 14.8.2.2.2). */
const artifact = (subtype: "Header" | "Footer" | "Watermark", operators: string) =>
  `/Artifact <</Type /Pagination /Subtype /${subtype}>> BDC\n${operators}EMC\n`
