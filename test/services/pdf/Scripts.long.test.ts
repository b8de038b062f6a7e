import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { shape } from "../../../src/services/pdf/Shaping.ts"
import { fixtures, patients, patientTexts, readText } from "../../support/Collection.ts"
import { ask, letters, meant } from "./PdfTools.ts"
import { made as written, paragraph } from "./Written.ts"

/** Lays out each text as a paragraph. */
const made = (...texts: ReadonlyArray<string>) => written([texts.map(paragraph)], { header: "", footer: [] })

/** Returns a file's text in one line, without the controls that pdftotext puts around right-to-left words. */
const read = async (pdf: Buffer, ...options: ReadonlyArray<string>): Promise<string> =>
  (await ask(pdf, "pdftotext", ...options)).replace(/[\u202a-\u202e]/g, "").replace(/^ *Page \d+ of \d+$/gm, "")
    .replace(/\s+/g, " ").normalize("NFC")

const onlyLetters = (text: string) => text.normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "")

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

/**
 * Lists the texts that pdftotext does not find. Beside right-to-left words, pdftotext guesses spaces and brackets. So
 * only the letters of right-to-left texts are compared, in the order of the file.
 */
const lost = async (texts: ReadonlyArray<string>) => {
  // Without a separator, marks at the beginning of a text would combine with the end of the text before.
  const pdf = await made(...texts.flatMap((text) => [text, "|"]))
  const laidOut = meant(await read(pdf, "-layout"))
  const inOrder = onlyLetters(meant(await read(pdf, "-raw")))
  return texts.filter((text) =>
    rightToLeft.test(text) ? !inOrder.includes(onlyLetters(letters(text))) : !laidOut.includes(letters(text))
  )
}

/** Lists every text under these keys, at any depth. */
const textsUnder = (keys: ReadonlySet<string>, value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
      ...keys.has(key) ? [inner].flat().filter((text) => typeof text === "string") : [],
      ...textsUnder(keys, inner)
    ])

describe("Text in any script", () => {
  it("reads back as it was written, in a font that has its characters", async () => {
    const namesOf = {
      "NotoSans-Regular": ["प्रिया शर्मा क्षत्रिय हिन्दी", "Nguyễn Văn Ả Q̣́", "Ελένη Олександр"],
      "NotoSansArabic-Regular": ["محمد بن عبد الله", "می‌خواهم"],
      "NotoSansHebrew-Regular": ["משה כהן"],
      "NotoSansJP-Regular": ["山田さくら 「テスト」"],
      "NotoSansKR-Regular": ["김철수 大韓民國"],
      // A radical and the character that looks like it have the same glyph, but they stay different characters.
      "NotoSansSC-Regular": ["张无忌 上海东方医院", "⼀一⼈人", "★①"],
      "NotoSansThai-Regular": ["สมชาย กำลังน้ำใจ"]
    }
    for (const [font, names] of Object.entries(namesOf)) {
      const listed = (await ask(await made(...names), "pdffonts")).trim().split("\n").slice(2)
        .map((line) => /^[A-Z]{6}\+(\S+) +CID TrueType +Identity-H +yes yes yes /.exec(line)?.[1] ?? line)
      // Spaces and the page's number are in Noto Sans.
      assert.deepStrictEqual(listed.toSorted(), [...new Set(["NotoSans-Regular", font])].toSorted())
    }
    const names = Object.values(namesOf).flat()
    const all = await made(names.join("\n"), "Latin עברית عربي ไทย हिन्दी 汉")
    const text = await read(all)
    for (const name of names) assert.include(text, name)
    assert.include(await ask(all, "qpdf", "--check"), "No syntax or stream encoding errors found")
  })

  it("keeps its order in the file, even with right-to-left names among Latin words and numbers", async () => {
    const texts = [
      "Dr. משה כהן (abc 123) died 1961-04-12 in תל אביב",
      "Signed by محمد علي on 2026-11-21, 12.5 mg",
      "משה כהן (abc 123), 45 mg",
      "الدواء 12.5 mg (abc)",
      "Sarah שרה Müller كريم 王"
    ]
    const raw = await read(await made(...texts), "-raw")
    for (const text of texts) assert.include(onlyLetters(raw), onlyLetters(text))
    const laidOut = await read(
      await made("A page of English words, as most are.", "Seen by Dr. משה כהן", "Name: محمد علي", "תל אביב")
    )
    for (const text of ["Seen by Dr. משה כהן", "Name: محمد علي", "תל אביב"]) assert.include(laidOut, text)
  })

  it("begins at the right margin if it is right-to-left and has several lines", async () => {
    const edges = async (text: string) => {
      const boxes = [
        ...(await ask(await made(text), "pdftotext", "-bbox")).matchAll(/<word xMin="(.+?)" .* xMax="(.+?)"/g)
      ]
      return boxes.slice(0, -4).map(([, left, right]) => [Number(left), Number(right)] as const)
    }
    const hebrew = await edges("שלום ".repeat(40))
    assert.isAbove(hebrew.length, 39)
    // A right-to-left line begins at the right margin. So one of the last three words is there.
    assert.approximately(Math.max(...hebrew.slice(-3).map(([, right]) => right)), 558, 0.1)
    assert.approximately((await edges("שלום"))[0]![0], 54, 0.1)
  })

  it("loses none of the strings that were collected to break programs", async () => {
    const strings: ReadonlyArray<string> = JSON.parse(readText(join(fixtures, "awkward/naughty-strings.json.gz")))
    assert.isAbove(strings.length, 300)
    assert.deepStrictEqual(await lost(strings), [])
  })

  it("loses no name or title of a record", async () => {
    const keys = new Set(["family", "given", "name", "text", "display", "title"])
    const texts = new Set(
      patients.flatMap((patient) => Object.values(patientTexts(patient)).flat())
        .flatMap((text) => textsUnder(keys, JSON.parse(text)))
    )
    assert.isAbove(texts.size, 150)
    assert.deepStrictEqual(await lost([...texts]), [])
  })

  it("shows code points for characters that no font has and for invisible characters", async () => {
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

  it("is laid out to the same bytes again, even if other text was laid out in between", async () => {
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
