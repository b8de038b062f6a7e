import { Blob, Buffer, Direction, Face, Font, MetricsTag, shape } from "harfbuzzjs"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export type Weight = "regular" | "bold"

/** Noto fonts (SIL Open Font License 1.1): the package of each family and the prefix of its files. */
const families = {
  /** Latin, Greek, Cyrillic, Devanagari and Vietnamese. */
  sans: ["noto-sans", "NotoSans"],
  hebrew: ["noto-sans-hebrew", "NotoSansHebrew"],
  arabic: ["noto-sans-arabic", "NotoSansArabic"],
  thai: ["noto-sans-thai", "NotoSansThai"],
  chinese: ["noto-sans-sc", "NotoSansSC"],
  japanese: ["noto-sans-jp", "NotoSansJP"],
  korean: ["noto-sans-kr", "NotoSansKR"]
} as const

export type Family = keyof typeof families

const styles = { regular: "400Regular", bold: "700Bold" }

/** A glyph is drawn at (x, y) from the end of the glyph or cluster before it. Lengths are thousandths of the size. */
export interface PlacedGlyph {
  readonly id: number
  /** Index, in the text, of the first character of the glyph's cluster. */
  readonly cluster: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

/** All calls share this buffer: if each made its own, finalizers would free them only between event loop turns. */
const buffer = new Buffer()

/** One font file, read by HarfBuzz. Lengths are thousandths of the font's size. */
export class Typeface {
  /** The PostScript name; as a PDF name it needs no escapes. */
  readonly name: string
  readonly file: string
  private readonly font: Font

  constructor(file: string) {
    this.file = file
    this.font = new Font(new Face(new Blob(readFileSync(file))))
    this.font.setScale(1000, 1000)
    this.name = this.font.face.getName(6, "en")
  }

  /** The glyph of a character outside any ligature or cluster. */
  glyph(character: string): number | undefined {
    return this.font.nominalGlyph(character.codePointAt(0)!)
  }

  has(character: string): boolean {
    return this.glyph(character) !== undefined
  }

  advance(glyph: number): number {
    return this.font.glyphHAdvance(glyph)
  }

  /** Shapes text of one script and direction. Glyphs are in the order in which they are drawn, from left to right. */
  shape(text: string, rightToLeft: boolean): ReadonlyArray<PlacedGlyph> {
    buffer.clearContents()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR)
    shape(this.font, buffer)
    const positions = buffer.getGlyphPositions()
    return buffer.getGlyphInfos().map(({ cluster, codepoint: id }, index) => {
      const { xAdvance, xOffset, yOffset } = positions[index]!
      return { id, cluster, advance: xAdvance, x: xOffset, y: yOffset }
    })
  }

  get ascent(): number {
    return this.font.hExtents().ascender
  }

  get descent(): number {
    return this.font.hExtents().descender
  }

  get capHeight(): number {
    return this.font.getMetricPositionWithFallback(MetricsTag.CAP_HEIGHT)
  }

  /** The smallest box around all glyphs: left, bottom, right, top (OpenType, `head`). */
  get box(): ReadonlyArray<number> {
    const { face } = this.font
    const head = face.referenceTable("head")!
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    return [36, 38, 40, 42].map((offset) => Math.round(view.getInt16(offset) * 1000 / face.upem))
  }
}

const loaded = new Map<string, Typeface>()

/** Reads a font of up to 10 MB at its first use, and keeps it for the life of the process. */
export const typeface = (family: Family, weight: Weight): Typeface => {
  const [directory, name] = families[family]
  const style = styles[weight]
  const path = `@expo-google-fonts/${directory}/${style}/${name}_${style}.ttf`
  const cached = loaded.get(path) ?? new Typeface(fileURLToPath(import.meta.resolve(path)))
  loaded.set(path, cached)
  return cached
}
