import type { Font as Typeface } from "fontkit"
import { type PDFContext, PDFHexString, type PDFRef, PDFString } from "pdf-lib"
import { fonts } from "./NotoSans.ts"
import { addDeflated } from "./Stream.ts"

/**
 * A character and the marks on it are drawn, and kept on one line, as one. Lengths are thousandths of the font's size.
 */
export interface Cluster {
  readonly text: string
  readonly advance: number
  readonly glyphs: ReadonlyArray<{ readonly code: string; readonly x: number; readonly y: number }>
}

/** A character has two marks at most, lest a heap of them grow into the lines around it; more follow side by side. */
const clusters = /\P{M}\p{M}{0,2}|\p{M}{1,2}/gu

/** Marks without a character under them are this wide, and stand at `x` in it. */
const bareMarks = { advance: 700, x: 500 }

/** Maps each glyph to the one character it stands for by itself. The map is made for the first document and kept. */
const characters = (font: Typeface): ReadonlyMap<number, string> => {
  const known = charactersOf.get(font) ??
    new Map(font.characterSet.map((point) => [font.glyphForCodePoint(point).id, String.fromCodePoint(point)]))
  charactersOf.set(font, known)
  return known
}

const charactersOf = new WeakMap<Typeface, ReadonlyMap<number, string>>()

/**
 * One document uses a subset of a font's glyphs, numbered as they come up. pdf-lib's own embedding is not used: it
 * leaves marks where they fall and makes ligatures; with its own fontkit, subsets lose the glyphs behind one of odd
 * length, and an `e` may read as `ẹ` once another document had one.
 */
export class Font {
  readonly ref: PDFRef
  private readonly context: PDFContext
  private readonly font: Typeface
  private readonly shaped = new Map<string, Cluster>()
  /** It maps a glyph of the font to its number in the subset; 0 is the glyph for missing characters. */
  private readonly numbers = new Map([[0, 0]])

  constructor(context: PDFContext, style: keyof typeof fonts) {
    this.context = context
    this.font = fonts[style]
    this.ref = context.nextRef()
  }

  /** Shapes one line of NFC text. */
  shape(text: string): ReadonlyArray<Cluster> {
    return (text.match(clusters) ?? []).map((cluster) => {
      const known = this.shaped.get(cluster)
      if (known !== undefined) return known
      const shaped = this.shapeCluster(cluster)
      this.shaped.set(cluster, shaped)
      return shaped
    })
  }

  private shapeCluster(text: string): Cluster {
    const { font } = this
    const run = /\p{M}/u.test(text) ? font.layout(text) : undefined
    const glyphs = run?.glyphs ?? font.glyphsForString(text)
    let advance = /^\p{M}/u.test(text) ? bareMarks.x : 0
    const placed = glyphs.map(({ advanceWidth, id }, index) => {
      const { xAdvance, xOffset, yOffset } = run?.positions[index] ?? { xAdvance: advanceWidth, xOffset: 0, yOffset: 0 }
      const x = advance + xOffset
      advance += xAdvance
      return { code: this.codeOf(id), x, y: yOffset }
    })
    return { text, advance: advance === bareMarks.x ? bareMarks.advance : advance, glyphs: placed }
  }

  private codeOf(glyph: number): string {
    const number = this.numbers.get(glyph) ?? this.numbers.size
    this.numbers.set(glyph, number)
    return code(number)
  }

  /** Writes the operators that show one line from (x, y) on; they belong between BT and ET. */
  show(line: ReadonlyArray<Cluster>, x: number, y: number, size: number): string {
    let operators = ""
    let plain = ""
    let plainAt = x
    let at = x
    const put = (x: number, y: number, codes: string) => {
      operators += `1 0 0 1 ${fixed(x)} ${fixed(y)} Tm <${codes}> Tj\n`
    }
    const putPlain = () => {
      if (plain !== "") put(plainAt, y, plain)
      plain = ""
    }
    for (const { advance, glyphs, text } of line) {
      if (glyphs.length === 1 && glyphs[0]!.x === 0) {
        if (plain === "") plainAt = at
        plain += glyphs[0]!.code
      } else {
        putPlain()
        // What is copied and read aloud is the text, in whichever order the marks are drawn (ISO 32000-1, 14.9.4).
        operators += `/Span <</ActualText ${PDFHexString.fromText(text).toString()}>> BDC\n`
        for (const glyph of glyphs) put(at + glyph.x * size / 1000, y + glyph.y * size / 1000, glyph.code)
        operators += "EMC\n"
      }
      at += advance * size / 1000
    }
    putPlain()
    return operators
  }

  /** Writes the subset as a composite font (ISO 32000-1, 9.7), once nothing more will be shown. */
  embed(): void {
    const { context, font } = this
    const glyphs = [...this.numbers.keys()]
    const name = `AAAAAA+${font.postscriptName}`
    const { maxX, maxY, minX, minY } = font.bbox
    // fontkit numbers the glyphs as they come, from 1 on, and the components of composite ones behind them.
    const subset = font.createSubset()
    for (const glyph of glyphs) subset.includeGlyph(font.getGlyph(glyph))
    const file = subset.encode()
    const descriptor = context.register(context.obj({
      Type: "FontDescriptor",
      FontName: name,
      Flags: 4,
      FontBBox: [minX, minY, maxX, maxY],
      ItalicAngle: 0,
      Ascent: font.ascent,
      Descent: font.descent,
      CapHeight: font.capHeight,
      StemV: 0,
      FontFile2: addDeflated(context, file, { Length1: file.length })
    }))
    const descendant = context.register(context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Identity"), Supplement: 0 },
      CIDToGIDMap: "Identity",
      FontDescriptor: descriptor,
      W: [0, glyphs.map((glyph) => font.getGlyph(glyph).advanceWidth)]
    }))
    context.assign(
      this.ref,
      context.obj({
        Type: "Font",
        Subtype: "Type0",
        BaseFont: name,
        Encoding: "Identity-H",
        DescendantFonts: [descendant],
        ToUnicode: addDeflated(context, this.toUnicode())
      })
    )
  }

  /** Maps numbers back to text, for what copies or searches it (ISO 32000-1, 9.10.3). */
  private toUnicode(): string {
    const known = characters(this.font)
    const entries = [...this.numbers].flatMap(([glyph, number]) => {
      const text = known.get(glyph)
      return text === undefined
        ? []
        : [`<${code(number)}> ${PDFHexString.fromText(text).toString().replace("FEFF", "")}`]
    })
    const blocks: Array<string> = []
    // A block holds 100 entries at most (Adobe Technical Note 5014).
    for (let from = 0; from < entries.length; from += 100) {
      const block = entries.slice(from, from + 100)
      blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`)
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
  }
}

const code = (number: number) => number.toString(16).padStart(4, "0")

export const fixed = (length: number) => String(Math.round(length * 100) / 100)
