import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Cluster, offsetsOf } from "../../../src/services/pdf/Cluster.ts"
import { Fonts } from "../../../src/services/pdf/Fonts.ts"
import { linesOf } from "../../../src/services/pdf/LineBreaks.ts"
import { shape } from "../../../src/services/pdf/Shaping.ts"
import { letters, meant } from "./PdfTools.ts"

const glyphsOf = (clusters: ReadonlyArray<Cluster>) =>
  clusters.map(({ glyphs }) => glyphs.map(({ id }) => id).join(" "))

/** Returns the texts of a line's clusters from left to right. */
const seen = (line: ReadonlyArray<Cluster>) => {
  const offsets = offsetsOf(line)
  return line.map(({ text }, index) => ({ text, at: offsets[index]! })).toSorted((one, other) => one.at - other.at)
    .map(({ text }) => text).join("")
}

/** Reads PDF operators as a viewer does, and returns the glyphs with their positions. */
const drawn = (operators: string, line: ReadonlyArray<Cluster>) => {
  const faces = new Map(line.map(({ typeface }) => [typeface.name, typeface]))
  const glyphs: Array<string> = []
  let face = line[0]!.typeface
  let [x, y] = [0, 0]
  for (const operator of operators.split("\n")) {
    const [, name] = /^\/(\S+) 1000 Tf$/.exec(operator) ?? []
    if (name !== undefined) face = faces.get(name)!
    const [, right, up] = /^1 0 0 1 (\S+) (\S+) Tm$/.exec(operator) ?? []
    if (right !== undefined) [x, y] = [Number(right), Number(up)]
    const [, string = ""] = /^<([0-9a-f]+)> Tj$/.exec(operator) ?? []
    for (const code of string.match(/.{4}/g) ?? []) {
      glyphs.push(`${face.name} ${code} ${x} ${y}`)
      x += face.advance(Number.parseInt(code, 16))
    }
  }
  return glyphs.toSorted()
}

describe("Shaping", () => {
  const shaped = (text: string) => shape(text, "regular")

  it("joins letters, orders vowels and places marks as their script requires", () => {
    // Beh has different forms at a word's beginning, in its middle, at its end and alone.
    assert.strictEqual(new Set([...glyphsOf(shaped("ببب")), ...glyphsOf(shaped("ب"))]).size, 4)
    // A zero-width non-joiner separates two letters that would otherwise join.
    assert.notStrictEqual(glyphsOf(shaped("ب\u200cب"))[0], glyphsOf(shaped("بب"))[0])
    // The Devanagari vowel i is drawn before its consonant, and both are one cluster.
    assert.deepStrictEqual(shaped("कि").map(({ text, glyphs }) => [text, glyphs.length]), [["कि", 2]])
    assert.strictEqual(glyphsOf(shaped("कि"))[0]!.split(" ")[1], glyphsOf(shaped("क"))[0])
    // A conjunct of several letters is one glyph.
    assert.strictEqual(glyphsOf(shaped("क्ष"))[0]!.split(" ").length, 1)
    // A Thai tone mark is higher above a vowel than above a consonant.
    const tone = (text: string) => shaped(text).at(-1)!.glyphs.at(-1)!
    assert.notDeepEqual([tone("ก้").id, tone("ก้").y], [tone("กิ้").id, tone("กิ้").y])
    assert.deepStrictEqual(shaped("บ้าน กำ").map(({ text }) => text), ["บ้", "า", "น", " ", "กำ"])
  })

  it("chooses the form of Han characters by the kana or hangul beside them", () => {
    const fontOf = (text: string) => shaped(text)[0]!.typeface.name
    assert.deepStrictEqual(["骨", "骨の", "骨의", "骨 (bone)"].map(fontOf), [
      "NotoSansSC-Regular",
      "NotoSansJP-Regular",
      "NotoSansKR-Regular",
      "NotoSansSC-Regular"
    ])
    assert.strictEqual(shape("骨", "bold")[0]!.typeface.name, "NotoSansSC-Bold")
  })

  it("orders text by the bidirectional algorithm, and mirrors brackets", () => {
    assert.strictEqual(seen(shaped("אבג abc")), "abc גבא")
    assert.strictEqual(seen(shaped("abc אבג def")), "abc גבא def")
    assert.strictEqual(seen(shaped("אב 123 גד")), "דג 123 בא")
    assert.strictEqual(seen(shaped("א(ב)ג")), "ג)ב(א")
    const [, open, , close] = shaped("א(ב)ג")
    assert.deepStrictEqual(glyphsOf([open!, close!]), glyphsOf(shaped(")(")))
    // A space at the end of a line is displayed at the line's end, for a line of either direction.
    assert.strictEqual(seen(shaped("abc אבג דהו").slice(0, 8)), "abc גבא ")
    assert.strictEqual(seen(shaped("אבג abc def").slice(0, 8)), " abc גבא")
  })

  it("keeps the order of a date after a right-to-left name in a line of English", () => {
    assert.strictEqual(seen(shaped("Seen محمد 2024-05-01, 12.5 mg")), "Seen دمحم 2024-05-01, 12.5 mg")
    assert.strictEqual(seen(shaped("Seen משה 2024-05-01")), "Seen השמ 2024-05-01")
    assert.strictEqual(seen(shaped("Seen שמ 12 הו.")), "Seen וה 12 מש.")
  })

  it("draws each glyph at its cluster's place, with kerning and offsets", () => {
    for (
      const text of ["אב(abc)ג 12", "שָׁלוֹם עֲלֵיכֶם", "مُحَمَّد بن عبد الله", "می‌خواهم", "क्षत्रिय हिन्दी", "กำลังน้ำใจ",
        "Q̣́ \u0301 汉の한"]
    ) {
      const line = shaped(text)
      const offsets = offsetsOf(line)
      const wanted = line.flatMap(({ glyphs, typeface }, index) =>
        glyphs.map(({ code, x, y }) => `${typeface.name} ${code} ${offsets[index]! + x} ${y}`)
      )
      const fonts = new Fonts()
      const style = { font: "regular", size: 1000, leading: 776, color: "0 0 0" } as const
      assert.deepStrictEqual(drawn(fonts.show(line, style, 0, 776), line), wanted.toSorted(), text)
    }
  })

  it("breaks a line after a hyphen only if it must, because readers then see a divided word", () => {
    const broken = (text: string, width: number) =>
      linesOf(shaped(text), width).map((line) => line.map(({ text }) => text).join(""))
    assert.deepStrictEqual(broken("test one - two", 5_200), ["test one ", "- two"])
    assert.deepStrictEqual(broken("one- two", 2_600), ["one- ", "two"])
    assert.deepStrictEqual(broken("1.00E-245", 3_000), ["1.00E", "-245"])
  })

  it("breaks lines between Han characters except before a comma, and between Thai words", () => {
    const broken = (text: string, width: number) =>
      linesOf(shaped(text), width).map((line) => line.map(({ text }) => text).join(""))
    assert.deepStrictEqual(broken("汉字测试，张伟的病历。", 4_500), ["汉字测", "试，张伟", "的病历。"])
    assert.deepStrictEqual(broken("BP 汉字测试", 4_000), ["BP 汉字", "测试"])
    assert.deepStrictEqual(broken("ภาษาไทยสวยงาม", 3_400), ["ภาษา", "ไทย", "สวยงาม"])
    assert.deepStrictEqual(broken("gene🧬🧬", 6_000), ["gene", "[U+1F9EC]", "[U+1F9EC]"])
    assert.deepStrictEqual(broken("שלום עולם", 2_500), ["שלום ", "עולם"])
  })

  const pieces = Schema.Literals([
    "a",
    "W",
    " ",
    "é",
    "\u0301",
    "(",
    "]",
    "1",
    "-",
    "א",
    "ם",
    "\u05b8",
    "م",
    "ﷲ",
    "\u0651",
    "क",
    "्",
    "ि",
    "ก",
    "ำ",
    "้",
    "汉",
    "の",
    "한",
    "\u1100",
    "\u200c",
    "\u200d",
    "🧬",
    "\ud800",
    "\u202e",
    "。"
  ])

  it.prop(
    "keeps every character in its order, and each line within its width",
    { parts: Schema.Array(pieces) },
    ({ parts }) => {
      const text = parts.join("").normalize("NFC")
      const clusters = shaped(text)
      assert.strictEqual(meant(clusters.map(({ text }) => text).join("")), letters(text))
      for (const { advance, glyphs } of clusters) assert.isTrue(advance >= 0 && glyphs.length > 0)
      const offsets = offsetsOf(clusters)
      const widths = clusters.map(({ advance }) => advance)
      // From left to right, each cluster begins where the one before it ends.
      const order = offsets.map((_, index) => index).toSorted((one, other) =>
        offsets[one]! - offsets[other]! || widths[one]! - widths[other]!
      )
      let at = 0
      for (const index of order) {
        assert.approximately(offsets[index]!, at, 1e-6)
        at += widths[index]!
      }
      const broken = linesOf(clusters, 3_000)
      assert.deepStrictEqual(broken.flat(), [...clusters])
      for (const line of broken) {
        const width = line.reduce((sum, { advance }) => sum + advance, 0)
        assert.isTrue(line.length <= 1 || line.at(-1)!.text === " " || width <= 3_000)
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
