import type { PDFContext, PDFRef } from "pdf-lib"
import { type Cluster, offsetsOf } from "./Cluster.ts"
import { CompositeFont } from "./CompositeFont.ts"
import { Pen } from "./Pen.ts"
import type { Typeface } from "./Typeface.ts"

/**
 * One document uses subsets of some fonts' glyphs. pdf-lib's own embedding is not used: it leaves marks where they fall and
 * makes ligatures; with its own fontkit, subsets lose the glyphs behind one of odd length, and an `e` may read as `ẹ` once
 * another document had one.
 */
export class Fonts {
  private readonly used = new Map<Typeface, CompositeFont>()

  /** Writes the operators that show one line from (x, y) on; they belong between BT and ET. */
  show(line: ReadonlyArray<Cluster>, x: number, y: number, size: number): string {
    const pen = new Pen(x, y, size)
    const offsets = offsetsOf(line)
    const marks: Array<() => void> = []
    let font: CompositeFont | undefined
    const put = (index: number) => {
      const cluster = line[index]!
      const offset = offsets[index]!
      const { glyphs, text, typeface } = cluster
      if (font?.face !== typeface) font = this.fontOf(typeface)
      pen.use(typeface)
      if (font.isPlain(cluster)) return pen.show(glyphs[0]!, offset)
      const wide = glyphs.filter(({ width }) => width > 0)
      const silent = wide.length === 1 ? glyphs.filter(({ width }) => width === 0) : []
      pen.say(text, () => {
        for (const glyph of silent.length > 0 ? wide : glyphs) pen.show(glyph, offset)
      })
      marks.push(...silent.map((glyph) => () => {
        pen.use(typeface)
        pen.show(glyph, offset)
      }))
    }
    for (const word of wordsOf(line)) {
      if (!word.some((index) => isRightToLeft(line[index]!))) word.forEach(put)
      else pen.mark("/ReversedChars BMC", () => word.toReversed().forEach(put))
    }
    // Between letters, or wider than them, marks would part them for readers: they come last, and say nothing.
    if (marks.length > 0) pen.say("", () => marks.forEach((show) => show()))
    return pen.operators()
  }

  /** Writes what was shown until now into a file; the resources of its pages name the fonts (ISO 32000-1, 7.8.3). */
  embed(context: PDFContext): Record<string, PDFRef> {
    return Object.fromEntries(Array.from(this.used, ([{ name }, font]) => [name, font.embed(context)]))
  }

  private fontOf(face: Typeface): CompositeFont {
    const font = this.used.get(face) ?? new CompositeFont(face)
    this.used.set(face, font)
    return font
  }
}

/** Brackets and the like may stand in text from right to left, and are no word of it. */
const isRightToLeft = ({ level, text }: Cluster) => level % 2 === 1 && /\p{L}/u.test(text)

/**
 * Parts a line in reading order: words from right to left, which are written from left to right (ISO 32000-1, 14.8.2.3.3),
 * and whatever is between them.
 */
const wordsOf = (line: ReadonlyArray<Cluster>): ReadonlyArray<ReadonlyArray<number>> => {
  const words: Array<Array<number>> = []
  line.forEach(({ level }, index) => {
    const previous = line[index - 1]
    const isSame = previous !== undefined && previous.level === level && (level % 2 === 0 || previous.text !== " ")
    if (isSame) words.at(-1)!.push(index)
    else words.push([index])
  })
  return words
}
