import type { PDFContext, PDFRef } from "pdf-lib"
import { type Cluster, Font } from "./Font.ts"
import type { Style } from "./Line.ts"

/** The fonts of all files that are made together: text to lines, lines to operators. */
export class Fonts {
  private readonly fonts: Record<Style["font"], Font>

  constructor(context: PDFContext) {
    this.fonts = { regular: new Font(context, "regular"), bold: new Font(context, "bold") }
  }

  /**
   * Breaks text into lines no wider than `width` points, at spaces where it can. A space at which it was broken stays at
   * the end of the line, for whatever reads it aloud or copies it parts words there only (ISO 32000-1, 14.8.2.5).
   */
  wrap(text: string, style: Style, width: number): Array<ReadonlyArray<Cluster>> {
    const font = this.fonts[style.font]
    return text.normalize("NFC")
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replace(/[ \t]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
      .replaceAll("\n", " \n")
      .split("\n")
      .flatMap((line) => broken(font.shape(line), width * 1000 / style.size))
  }

  /** Writes the operators that show a line whose upper left corner is (x, top). */
  show(line: ReadonlyArray<Cluster>, style: Style, x: number, top: number): string {
    // Noto Sans's letters span 1.069 above and 0.293 below the baseline.
    const baseline = top - style.leading / 2 - 0.388 * style.size
    return `BT ${style.color} rg /${style.font} ${style.size} Tf\n` +
      `${this.fonts[style.font].show(line, x, baseline, style.size)}ET\n`
  }

  /** In points. */
  width(line: ReadonlyArray<Cluster>, { size }: Style): number {
    return line.reduce((sum, { advance }) => sum + advance, 0) * size / 1000
  }

  /** Puts the fonts with every glyph that was shown so far into the context, once for each file. Its resources by name. */
  embed(): Record<string, PDFRef> {
    const { bold, regular } = this.fonts
    regular.embed()
    bold.embed()
    return { regular: regular.ref, bold: bold.ref }
  }
}

const broken = (clusters: ReadonlyArray<Cluster>, width: number): Array<ReadonlyArray<Cluster>> => {
  const lines: Array<ReadonlyArray<Cluster>> = []
  let start = 0
  let space = -1
  let length = 0
  for (let at = 0; at < clusters.length; at++) {
    const { advance, text } = clusters[at]!
    length += advance
    if (text === " ") {
      space = at
      continue
    }
    while (length > width && at > start) {
      const end = space >= start ? space + 1 : at
      lines.push(clusters.slice(start, end))
      start = end
      length = clusters.slice(start, at + 1).reduce((sum, { advance }) => sum + advance, 0)
    }
  }
  return [...lines, clusters.slice(start)]
}
