import { type Cluster, offsetsOf } from "./Cluster.ts"
import { CompositeFont } from "./CompositeFont.ts"
import { linesOf } from "./LineBreaks.ts"
import type { Objects } from "./Objects.ts"
import { Pen } from "./Pen.ts"
import { shape } from "./Shaping.ts"
import type { Style } from "./Style.ts"
import type { Typeface } from "./Typeface.ts"

/**
 * The fonts of files that share pages. Breaks text into lines and turns lines into operators. pdf-lib is not used,
 * because it would misplace marks. With its fontkit, subsets lose glyphs, and `e` may be copied as `ẹ` if an earlier
 * file has `ẹ`.
 */
export class Fonts {
  private readonly used = new Map<Typeface, CompositeFont>()

  /** Breaks text into lines no wider than `width` points. */
  wrap(text: string, style: Style, width: number): Array<ReadonlyArray<Cluster>> {
    return text.normalize("NFC")
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replace(/[ \t]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
      .replaceAll("\n", " \n")
      .split("\n")
      .flatMap((paragraph) => linesOf(shape(paragraph, style.font), width * 1000 / style.size))
  }

  /** The operators that show a line whose upper left corner is (x, top). */
  show(line: ReadonlyArray<Cluster>, style: Style, x: number, top: number): string {
    // Centres letters. Noto Sans reaches 1.069 sizes above the baseline and 0.293 below: half the difference is 0.388.
    const baseline = top - style.leading / 2 - 0.388 * style.size
    const pen = new Pen(x, baseline, style.size)
    this.draw(line, pen)
    return `BT ${style.color} rg\n${pen.operators()}\nET\n`
  }

  width(line: ReadonlyArray<Cluster>, { size }: Style): number {
    return line.reduce((sum, { advance }) => sum + advance, 0) * size / 1000
  }

  /** Writes the fonts with all glyphs shown so far. Call it once for each file. Returns names and object numbers. */
  async write(objects: Objects): Promise<ReadonlyArray<readonly [name: string, number: number]>> {
    const written: Array<[string, number]> = []
    for (const [{ name }, font] of this.used) written.push([name, await font.write(objects)])
    return written
  }

  private draw(line: ReadonlyArray<Cluster>, pen: Pen): void {
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
    // A mark between letters would make PDF viewers split the word there. So marks come last, without text.
    if (marks.length > 0) pen.say("", () => marks.forEach((show) => show()))
  }

  private fontOf(face: Typeface): CompositeFont {
    const font = this.used.get(face) ?? new CompositeFont(face)
    this.used.set(face, font)
    return font
  }
}

/** A cluster without letters, such as a bracket, does not make a word right-to-left. */
const isRightToLeft = ({ level, text }: Cluster) => level % 2 === 1 && /\p{L}/u.test(text)

/**
 * Splits a line in reading order into right-to-left words of one typeface and the stretches between them. The glyphs
 * of such a word are written from left to right (`ReversedChars`: ISO 32000-1, 14.8.2.3.3).
 */
const wordsOf = (line: ReadonlyArray<Cluster>): ReadonlyArray<ReadonlyArray<number>> => {
  const words: Array<Array<number>> = []
  line.forEach(({ level, typeface }, index) => {
    const previous = line[index - 1]
    if (previous?.level === level && (level % 2 === 0 || previous.typeface === typeface)) words.at(-1)!.push(index)
    else words.push([index])
  })
  return words
}
