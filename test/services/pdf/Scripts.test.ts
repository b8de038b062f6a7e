import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Cluster, offsetsOf } from "../../../src/services/pdf/Cluster.ts"
import { linesOf } from "../../../src/services/pdf/LineBreaks.ts"
import type { Block } from "../../../src/services/pdf/Lines.ts"
import { PdfFile } from "../../../src/services/pdf/PdfFile.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import { shape } from "../../../src/services/pdf/Shaping.ts"
import { ask, needsTools, noTools } from "./Pdf.ts"

const asked = (name: string, test: () => Promise<void>) => it.skipIf(noTools)(`${name}${needsTools}`, test)

const frame = { header: "", footer: [] }

const metadata = {
  title: "A title",
  author: "An author",
  subject: "A subject",
  language: "en-US",
  createdAt: new Date("2026-11-21T17:05:23Z"),
  id: Buffer.alloc(32, 7)
}

/** Lays out each text as a paragraph. */
const made = async (...texts: ReadonlyArray<string>): Promise<Buffer> => {
  const written: Array<Uint8Array> = []
  const file = new PdfFile(async (bytes) => void written.push(Buffer.from(bytes)))
  const writer = new PdfWriter([frame])
  const part = await writer.part(texts.map((text): Block => ({ kind: "paragraph", text })), [file])
  await writer.finish(file, { parts: [part], frame, attachments: [], metadata })
  return Buffer.concat(written)
}

/** Answers text in one line, without the controls that pdftotext puts around words from right to left. */
const read = async (pdf: Buffer, ...options: ReadonlyArray<string>): Promise<string> =>
  (await ask(pdf, "pdftotext", ...options)).replace(/[\u202a-\u202e]/g, "").replace(/^ *Page \d+ of \d+$/gm, "")
    .replace(/\s+/g, " ").normalize("NFC")

const unspaced = (text: string) => text.normalize("NFC").replace(/\s/g, "").normalize("NFC")

/** Answers what stands for characters that no font shows as those. */
const meant = (text: string) =>
  unspaced(unspaced(text).replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, point) => String.fromCodePoint(parseInt(point, 16))))

const letters = (text: string) => text.normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "")

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

/**
 * Lists the texts that pdftotext does not find. It puts spaces and brackets beside words from right to left wherever it
 * guesses, so of such texts it is asked for the letters, in the order in which the file has them.
 */
const lost = async (texts: ReadonlyArray<string>) => {
  // Marks at a text's begin would join the end of the one before.
  const pdf = await made(...texts.flatMap((text) => [text, "|"]))
  const laidOut = meant(await read(pdf, "-layout"))
  const inOrder = letters(meant(await read(pdf, "-raw")))
  return texts.filter((text) =>
    rightToLeft.test(text) ? !inOrder.includes(letters(unspaced(text))) : !laidOut.includes(unspaced(text))
  )
}

const fixtures = join(import.meta.dirname, "../../fixtures/fhir")

const lines = (path: string) => gunzipSync(readFileSync(join(fixtures, path))).toString().trim().split("\n")

/** Lists every text under these keys, however deep. */
const textsUnder = (keys: ReadonlySet<string>, value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
      ...keys.has(key) ? [inner].flat().filter((text) => typeof text === "string") : [],
      ...textsUnder(keys, inner)
    ])

describe("text of any script", () => {
  asked("reads back as it was written, in a font that has it", async () => {
    const names = {
      "משה כהן": ["NotoSansHebrew-Regular"],
      "محمد بن عبد الله": ["NotoSansArabic-Regular"],
      "می‌خواهم": ["NotoSansArabic-Regular"],
      "प्रिया शर्मा क्षत्रिय हिन्दी": ["NotoSans-Regular"],
      "สมชาย กำลังน้ำใจ": ["NotoSansThai-Regular"],
      "张无忌 上海东方医院": ["NotoSansSC-Regular"],
      "山田さくら 「テスト」": ["NotoSansJP-Regular"],
      "김철수 大韓民國": ["NotoSansKR-Regular"],
      "Nguyễn Văn Ả Q̣́": ["NotoSans-Regular"],
      "Ελένη Олександр": ["NotoSans-Regular"],
      "★①": ["NotoSansSC-Regular"]
    }
    for (const [name, fonts] of Object.entries(names)) {
      const pdf = await made(name)
      assert.include(await read(pdf), name)
      const listed = (await ask(pdf, "pdffonts")).trim().split("\n").slice(2)
        .map((line) => /^[A-Z]{6}\+(\S+) +CID TrueType +Identity-H +yes yes yes /.exec(line)?.[1] ?? line)
      // Spaces and the page's number are Noto Sans.
      assert.deepStrictEqual(listed.toSorted(), [...new Set(["NotoSans-Regular", ...fonts])].toSorted(), name)
    }
    const all = await made(Object.keys(names).join("\n"), "Latin עברית عربي ไทย हिन्दी 汉")
    for (const name of Object.keys(names)) assert.include(await read(all), name)
    assert.include(await ask(all, "qpdf", "--check"), "No syntax or stream encoding errors found")
  })

  asked("is in its order in the file, names from right to left among Latin words and numbers", async () => {
    const texts = [
      "Dr. משה כהן (abc 123) died 1961-04-12 in תל אביב",
      "Signed by محمد علي on 2026-11-21, 12.5 mg",
      "משה כהן (abc 123), 45 mg",
      "الدواء 12.5 mg (abc)",
      "Sarah שרה Müller كريم 王"
    ]
    const raw = await read(await made(...texts), "-raw")
    for (const text of texts) assert.include(letters(raw), letters(text))
    const laidOut = await read(
      await made("A page of English words, as most are.", "Seen by Dr. משה כהן", "Name: محمد علي", "תל אביב")
    )
    for (const text of ["Seen by Dr. משה כהן", "Name: محمد علي", "תל אביב"]) assert.include(laidOut, text)
  })

  asked("begins at the right where it has several lines from right to left", async () => {
    const edges = async (text: string) => {
      const boxes = [
        ...(await ask(await made(text), "pdftotext", "-bbox")).matchAll(/<word xMin="(.+?)" .* xMax="(.+?)"/g)
      ]
      return boxes.slice(0, -4).map(([, left, right]) => [Number(left), Number(right)] as const)
    }
    const hebrew = await edges("שלום ".repeat(40))
    assert.isAbove(hebrew.length, 39)
    // The last word is alone in its line, or with few others, and its line ends at the right margin.
    assert.approximately(Math.max(...hebrew.slice(-3).map(([, right]) => right)), 558, 0.1)
    assert.approximately((await edges("שלום"))[0]![0], 54, 0.1)
  })

  asked("loses no string that was made to be lost", async () => {
    const strings: ReadonlyArray<string> = JSON.parse(lines("awkward/naughty-strings.json.gz").join("\n"))
    assert.isAbove(strings.length, 300)
    assert.deepStrictEqual(await lost(strings), [])
  })

  asked("loses no name of a record", async () => {
    const keys = new Set(["family", "given", "name", "text", "display", "title"])
    const texts = new Set(
      readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ndjson.gz"))
        .flatMap((path) => lines(path)).flatMap((line) => textsUnder(keys, JSON.parse(line)))
    )
    assert.isAbove(texts.size, 150)
    assert.deepStrictEqual(await lost([...texts]), [])
  })

  asked("shows the code points of what no font has and of what shows nothing", async () => {
    const pdf = await made(
      "gene 🧬 and ❤️",
      "a\u200bb \u202eabc\u202c \u2066x\u2069",
      "bell \u0007 soft\u00adhyphen Gr\u034fay Hangul\u3164",
      "private \ue000 none \u0378 \u{e0041} \ud800.",
      "x\u200dy א\u200dב ب\u200d\u200dب ب\u200cب"
    )
    const text = await read(pdf)
    assert.include(text, "gene [U+1F9EC] and [U+2764][U+FE0F]")
    assert.include(text, "a[U+200B]b [U+202E]abc[U+202C] [U+2066]x[U+2069]")
    assert.include(text, "bell [U+0007] soft[U+00AD]hyphen Gr[U+034F]ay Hangul[U+3164]")
    assert.include(text, "private [U+E000] none [U+0378] [U+E0041] [U+D800].")
    assert.include(text, "x[U+200D]y")
    assert.strictEqual(shape("א\u200dב", "regular").map(({ text }) => text).join(""), "א[U+200D]ב")
    assert.strictEqual(shape("ب\u200d\u200dب", "regular").map(({ text }) => text).join(""), "ب[U+200D][U+200D]ب")
    assert.strictEqual(shape("ب\u200cب", "regular").map(({ text }) => text).join(""), "ب\u200cب")
  })

  asked("is equal to the byte when laid out again, whatever was laid out between", async () => {
    const text = "Ẹ é 王 محمد प्रिया"
    const pdf = await made(text)
    await made("Ę ę é Ẹ́ 皇帝 محمود بن प्रिय")
    assert.isTrue(pdf.equals(await made(text)))
    const tags = async (pdf: Buffer) => (await ask(pdf, "pdffonts")).match(/[A-Z]{6}(?=\+)/g)!
    const [one, other] = [await tags(pdf), await tags(await made(`${text} 皇 Z ش क`))]
    assert.deepStrictEqual(await tags(await made(text)), one)
    assert.strictEqual(new Set([...one, ...other]).size, 6)
  })
})

const glyphsOf = (clusters: ReadonlyArray<Cluster>) =>
  clusters.map(({ glyphs }) => glyphs.map(({ id }) => id).join(" "))

/** Answers the texts of a line's clusters from left to right. */
const seen = (line: ReadonlyArray<Cluster>) => {
  const offsets = offsetsOf(line)
  return line.map(({ text }, index) => ({ text, at: offsets[index]! })).toSorted((one, other) => one.at - other.at)
    .map(({ text }) => text).join("")
}

describe("shaping", () => {
  const shaped = (text: string) => shape(text, "regular")

  it("joins letters, orders vowels and places marks as their script does", () => {
    // Beh has another form at a word's begin, in its middle, at its end and alone.
    assert.strictEqual(new Set([...glyphsOf(shaped("ببب")), ...glyphsOf(shaped("ب"))]).size, 4)
    // The joiner keeps the joined form, the non-joiner parts.
    assert.notStrictEqual(glyphsOf(shaped("ب\u200cب"))[0], glyphsOf(shaped("بب"))[0])
    // The vowel i is drawn before its consonant, and they are one cluster.
    assert.deepStrictEqual(shaped("कि").map(({ text, glyphs }) => [text, glyphs.length]), [["कि", 2]])
    assert.strictEqual(glyphsOf(shaped("कि"))[0]!.split(" ")[1], glyphsOf(shaped("क"))[0])
    // A conjunct is one glyph, which none of its letters has alone.
    assert.strictEqual(glyphsOf(shaped("क्ष"))[0]!.split(" ").length, 1)
    // A tone stands higher above a vowel than above a consonant.
    const tone = (text: string) => shaped(text).at(-1)!.glyphs.at(-1)!
    assert.notDeepEqual([tone("ก้").id, tone("ก้").y], [tone("กิ้").id, tone("กิ้").y])
    assert.deepStrictEqual(shaped("บ้าน กำ").map(({ text }) => text), ["บ้", "า", "น", " ", "กำ"])
  })

  it("takes the form of Han characters by the kana or hangul beside them", () => {
    const fontOf = (text: string) => shaped(text)[0]!.typeface.name
    assert.deepStrictEqual(["骨", "骨の", "骨의", "骨 (bone)"].map(fontOf), [
      "NotoSansSC-Regular",
      "NotoSansJP-Regular",
      "NotoSansKR-Regular",
      "NotoSansSC-Regular"
    ])
    assert.strictEqual(shape("骨", "bold")[0]!.typeface.name, "NotoSansSC-Bold")
  })

  it("orders what is seen by the bidirectional algorithm, and mirrors brackets", () => {
    assert.strictEqual(seen(shaped("אבג abc")), "abc גבא")
    assert.strictEqual(seen(shaped("abc אבג def")), "abc גבא def")
    assert.strictEqual(seen(shaped("אב 123 גד")), "דג 123 בא")
    assert.strictEqual(seen(shaped("א(ב)ג")), "ג)ב(א")
    const [, open, , close] = shaped("א(ב)ג")
    assert.deepStrictEqual(glyphsOf([open!, close!]), glyphsOf(shaped(")(")))
    // A space at the end of a line is at its end.
    assert.strictEqual(seen(shaped("abc אבג def").slice(0, 8)), "abc גבא ")
    assert.strictEqual(seen(shaped("אבג abc דהו").slice(0, 8)), " abc גבא")
  })

  it("keeps the order of a date behind a name from right to left in a line of English", () => {
    assert.strictEqual(seen(shaped("Seen محمد 2024-05-01, 12.5 mg")), "Seen دمحم 2024-05-01, 12.5 mg")
    assert.strictEqual(seen(shaped("Seen משה 2024-05-01")), "Seen השמ 2024-05-01")
    assert.strictEqual(seen(shaped("Seen שמ 12 הו.")), "Seen וה 12 מש.")
  })

  it("ends a line behind a hyphen only where it must, for readers take that for a parted word", () => {
    const broken = (text: string, width: number) =>
      linesOf(shaped(text), width).map((line) => line.map(({ text }) => text).join(""))
    assert.deepStrictEqual(broken("test one - two", 5_200), ["test one ", "- two"])
    assert.deepStrictEqual(broken("one- two", 2_600), ["one- ", "two"])
  })

  it("breaks lines between Han characters but before no comma, and between Thai words", () => {
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
    "keeps every character in its order, each line in its width",
    { parts: Schema.Array(pieces) },
    ({ parts }) => {
      const text = parts.join("").normalize("NFC")
      const clusters = shaped(text)
      assert.strictEqual(meant(clusters.map(({ text }) => text).join("")), unspaced(text))
      for (const { advance, glyphs } of clusters) assert.isTrue(advance >= 0 && glyphs.length > 0)
      const offsets = offsetsOf(clusters)
      const widths = clusters.map(({ advance }) => advance)
      // Each cluster begins where another ends.
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
