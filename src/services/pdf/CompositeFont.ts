import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import type { Cluster } from "./Cluster.ts"
import { type Objects, ref } from "./Objects.ts"
import { hex } from "./Shaping.ts"
import { subsetOf } from "./Subset.ts"
import { utf16 } from "./Text.ts"
import type { Typeface } from "./Typeface.ts"

/** The shown glyphs of one typeface as a composite font (ISO 32000-1, 9.7). Character codes are glyph numbers. */
export class CompositeFont {
  readonly face: Typeface
  /** The text that a PDF viewer copies for each glyph: the text of the glyph's first use. */
  private readonly texts = new Map<number, string>()

  constructor(face: Typeface) {
    this.face = face
  }

  /** Registers a cluster's glyphs. Returns true if it is one unshifted glyph and viewers copy the cluster's text. */
  isPlain({ glyphs, text }: Cluster): boolean {
    const [glyph] = glyphs
    if (glyphs.length === 1 && glyph!.x === 0 && glyph!.y === 0) {
      const known = this.texts.get(glyph!.id)
      if (known === undefined) this.texts.set(glyph!.id, text)
      return known === undefined || known === text
    }
    this.noteParts(glyphs.map(({ id }) => id), text)
    return false
  }

  /** Some PDF viewers ignore a cluster's text and copy glyph by glyph, so each glyph gets a part of the text. */
  private noteParts(glyphs: ReadonlyArray<number>, text: string): void {
    const rest = [...text]
    const unknown = glyphs.filter((id) => {
      const own = rest.findIndex((character) => this.face.glyph(character) === id)
      const [character] = own < 0 ? [] : rest.splice(own, 1)
      if (character !== undefined && !this.texts.has(id)) this.texts.set(id, character)
      return !this.texts.has(id)
    })
    unknown.forEach((id, index) => {
      const part = index === unknown.length - 1 ? rest.splice(0).join("") : rest.shift() ?? ""
      this.texts.set(id, part || text)
    })
  }

  /** Writes the font with all glyphs shown so far. Call it once for each file. Returns the font's object number. */
  async write(objects: Objects): Promise<number> {
    const { face } = this
    const { file, length, name, toUnicode, widths } = this.embedded()
    const fontFile = await objects.stream(file, `<</Length1 ${length}/Filter/FlateDecode>>`)
    const descriptor = objects.add(
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${face.box.join(" ")}]/ItalicAngle 0` +
        `/Ascent ${face.ascent}/Descent ${face.descent}/CapHeight ${face.capHeight}/StemV 0/FontFile2 ${
          ref(fontFile)
        }>>`
    )
    const descendant = objects.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}` +
        "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>" +
        `/CIDToGIDMap/Identity/FontDescriptor ${ref(descriptor)}/W[${widths}]>>`
    )
    const texts = await objects.stream(toUnicode, "<</Filter/FlateDecode>>")
    return objects.add(
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H` +
        `/DescendantFonts[${ref(descendant)}]/ToUnicode ${ref(texts)}>>`
    )
  }

  private embedded(): EmbeddedFont {
    const usual = usualOf(this.face)
    for (const [glyph, text] of this.texts) if (usual.get(glyph) !== text) return embed(this.face, this.texts)
    const known = prepared.get(this.face) ?? embed(this.face, usual)
    prepared.set(this.face, known)
    return known
  }
}

/** An embedded font; `file` and `toUnicode` are deflated (ISO 32000-1, 7.4.4). */
interface EmbeddedFont {
  readonly name: string
  readonly file: Uint8Array
  readonly length: number
  readonly widths: string
  readonly toUnicode: Uint8Array
}

const embed = (face: Typeface, texts: ReadonlyMap<number, string>): EmbeddedFont => {
  const glyphs = [...texts.keys()].toSorted((one, other) => one - other)
  const file = subsetOf(face.file, glyphs)
  return {
    name: `${tagOf(file)}+${face.name}`,
    file: deflateSync(file),
    length: file.length,
    widths: glyphs.map((glyph) => `${glyph}[${face.advance(glyph)}]`).join(""),
    toUnicode: deflateSync(toUnicode(glyphs.map((glyph) => [glyph, texts.get(glyph)!])))
  }
}

/** The characters of English text, and those of the service's own words. */
const usualCharacters = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)),
  ..."’“”–…"
]

const usual = new Map<Typeface, ReadonlyMap<number, string>>()

const usualOf = (face: Typeface): ReadonlyMap<number, string> => {
  const known = usual.get(face) ??
    new Map(usualCharacters.flatMap((text) => {
      const glyph = face.glyph(text)
      return glyph === undefined ? [] : [[glyph, text]]
    }))
  usual.set(face, known)
  return known
}

/** Fonts of all usual characters, made once per process. They save 2 to 3 ms a release and add 5 kB to each file. */
const prepared = new Map<Typeface, EmbeddedFont>()

/** Six capital letters that distinguish subsets (ISO 32000-1, 9.6.4). */
const tagOf = (file: Uint8Array): string =>
  Array.from(createHash("sha256").update(file).digest().subarray(0, 6), (byte) => String.fromCharCode(65 + byte % 26))
    .join("")

/** Maps character codes to text for copying and searching (ISO 32000-1, 9.10.3). */
const toUnicode = (texts: ReadonlyArray<readonly [glyph: number, text: string]>): string => {
  const entries = texts.map(([glyph, text]) => `<${hex(glyph)}> <${utf16(text)}>`)
  const blocks: Array<string> = []
  // A block has at most 100 entries (Adobe Technical Note 5014).
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
