import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Blob, Face, Font } from "harfbuzzjs"
import { readFileSync } from "node:fs"
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from "pdf-lib"
import { Fonts } from "../../../src/services/pdf/Fonts.ts"
import { styles } from "../../../src/services/pdf/Style.ts"
import { typeface } from "../../../src/services/pdf/Typeface.ts"
import { contentOf, documentOf, recordOf, rendered } from "../pdf/Pdf.ts"
import { ask, letters, unbroken } from "../pdf/PdfTools.ts"

const named = (fullName: string) => contentOf({ veteran: { fullName, dateOfBirth: "1961-04-12" } })

interface Box {
  readonly page: number
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Returns the position of each word, measured from the upper left corner of its page. */
const boxesOf = async (pdf: Buffer): Promise<ReadonlyArray<Box>> =>
  (await ask(pdf, "pdftotext", "-bbox")).split("<page ").slice(1).flatMap((part, page) =>
    [...part.matchAll(/<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)<\/word>/g)].map((
      [, left, top, right, bottom, text]
    ) => ({ page, text: text!, left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) }))
  )

/** The rounding of a coordinate in the file changes it by less than this, in points. */
const slack = 0.02

const misplaced = (boxes: ReadonlyArray<Box>) => [
  ...boxes.filter(({ bottom, left, right, top }) =>
    left < 54 - slack || right > 612 - 54 + slack || top < 36 - slack || bottom > 792 - 36 + slack
  ),
  ...boxes.flatMap((box, index) =>
    boxes.slice(index + 1).filter((other) =>
      other.page === box.page &&
      Math.min(box.right, other.right) - Math.max(box.left, other.left) > slack &&
      Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > slack
    )
  )
]

describe("Names in a release", () => {
  const names = [
    "O'Hara",
    "Guzmán",
    "Nguyễn Văn Ả",
    "Łukasz Żółć",
    "Ελένη Παπαδοπούλου",
    "Олександр Ґалаґан",
    "Ǫ́ą́ Ẹ̀bùn Z̆ M̈",
    ")\\(",
    "<b>x</b>",
    "&amp; %PDF <</A(",
    "ffi fi fl",
    "/ByteRange [0 /********** /********** /**********]"
  ]

  it("are read as they were written, in composed or decomposed Unicode", async () => {
    const forms = names.flatMap((name) => [name, name.normalize("NFD")])
    const documents = forms.map((title, index) => ({ ...documentOf(index), title }))
    const pdf = await rendered(contentOf({
      veteran: { fullName: forms.join(" "), dateOfBirth: "1961-04-12" },
      information: { resourceTypes: ["Condition"], dateFrom: null, dateTo: null, documents }
    }))
    const text = letters(await ask(pdf, "pdftotext", "-layout"))
    for (const [index, name] of forms.entries()) {
      assert.include(text, letters(`${index + 1}.${name}application/pdf`))
    }
    assert.deepStrictEqual(misplaced(await boxesOf(pdf)), [])
  })

  it("may have 10,000 characters, with or without spaces, and stand shortened above every page of the record", async () => {
    const word = "Wolfe".repeat(2_000)
    const words = "Anna-María ".repeat(909)
    const pdf = await rendered(contentOf({
      veteran: { fullName: word, dateOfBirth: "1961-04-12" },
      disclosingParty: { name: words },
      recipient: { name: `${"i".repeat(5_000)}${"W".repeat(4_999)}e`, email: "a@b.example" },
      purpose: { code: "other", text: "one\r\ntwo\t\tthree\n\n\n\nfour\u2028five" }
    }))
    const texts = await pagesOf(pdf)
    assert.include(letters(texts.body), letters(word))
    assert.include(letters(texts.body), letters(words))
    assert.include(letters(texts.body), `${"i".repeat(5_000)}${"W".repeat(4_999)}e`)
    assert.include(unbroken(texts.body), "one two three four five E. Until when")
    assert.deepStrictEqual(misplaced(await boxesOf(pdf)), [])
    await assertAbove(pdf, "Wolfe".repeat(16))
  })

  it("stand above every page of the record in any script, a long one shortened", async () => {
    for (
      const [name, above] of [
        ["כהן דוד", "כהן דוד"],
        ["山田太郎", "山田太郎"],
        ["\u{1F9EC} Ray", "[U+1F9EC] Ray"],
        ["Anna-María ".repeat(909), "Anna-María ".repeat(7)]
      ] as const
    ) {
      const pdf = await rendered(named(name))
      // Japanese letters reach above the box of the line, where nothing else is.
      if (name !== "山田太郎") assert.deepStrictEqual(misplaced(await boxesOf(pdf)), [])
      await assertAbove(pdf, above)
    }
  })

  it("may have heaps of marks, which stand beside the letter and not in the lines around it", async () => {
    const heap = `a${"\u0301\u0323".repeat(300)}b`
    const pdf = await rendered(named(`${heap} e\u0301\u0301`))
    assert.deepStrictEqual(misplaced(await boxesOf(pdf)), [])
    assert.isAbove((await pagesOf(pdf)).count, 2)
  })
})

/** Asserts that a name stands above every page of the record. */
const assertAbove = async (pdf: Buffer, name: string) => {
  const pages = (await ask(pdf, "pdftotext", "-raw")).replaceAll(/[\u202a-\u202e]/g, "").split("\f").slice(0, -1)
  const record = pages.slice(pages.findIndex((page) => /^Health record$/m.test(page)))
  assert.isAtLeast(record.length, 2)
  for (const page of record) {
    assert.include(letters(page), letters(name))
    assert.include(unbroken(page), ", born 1961-04-12 – released by their authorization")
  }
}

/** Returns the text of all pages, without the parts that each page repeats. */
const pagesOf = async (pdf: Buffer) => {
  const pages = (await ask(pdf, "pdftotext", "-layout")).split("\f").slice(0, -1)
  const body = pages.map((page) =>
    page.replace(/^Authorization to Release Health Information\n/, "")
      .replace(/^[^\f]*released by their authorization\n/, "").replace(/\nDocument 0193a5b0-7c4e.*/s, "")
  )
  return { count: pages.length, body: body.join("\n") }
}

describe("Long lists", () => {
  it("stay complete and in order across pages, and clear of header and footer", async () => {
    const letter = (index: number) => String.fromCharCode(97 + index % 26)
    const resourceTypes = Array.from({ length: 300 }, (_, index) => `Type${letter(index / 26)}${letter(index)}x`)
    const documents = Array.from({ length: 200 }, (_, index) => documentOf(index))
    const pdf = await rendered(contentOf({
      information: { resourceTypes, dateFrom: null, dateTo: null, documents },
      record: resourceTypes.map((type, index) => recordOf(type, { itemCount: index }))
    }))
    const { body, count } = await pagesOf(pdf)
    const text = unbroken(body)
    assert.include(text, resourceTypes.map((type) => `${type}s (${type})`).join("; "))
    assert.include(
      text,
      documents.map(({ byteSize, contentType, sha256, title }, index) =>
        `${index + 1}. ${title} ${contentType}, ${byteSize.toLocaleString("en-US")} bytes SHA-256 ${sha256}`
      ).join(" ")
    )
    assert.include(
      text,
      resourceTypes.map((type, index) =>
        `${type}s (${type}) included, ${index} item${index === 1 ? "" : "s"}, as of 2026-11-21 17:05 UTC`
      ).join(" ")
    )
    const boxes = await boxesOf(pdf)
    assert.deepStrictEqual(misplaced(boxes), [])
    // Text has at least 11 points, also in the footer, and at least 10 points in tables. A word's box is 1.36 times as
    // high as its font size.
    const smallest = (some: ReadonlyArray<Box>) => Math.min(...some.map(({ bottom, top }) => bottom - top))
    const { page: record } = boxes.find(({ text }) => text === "Summary")!
    assert.isAbove(smallest(boxes.filter(({ page }) => page < record)), 11 * 1.36)
    assert.isAbove(smallest(boxes), 10 * 1.36)
    assert.isAbove(count, 20)
    // A heading is never the last line above the footer. Some of its section follows on the same page.
    const headings = boxes.filter(({ bottom, top }) => Math.abs(bottom - top - 12.5 * 1.362) < 0.1)
    for (const { page, top } of headings) {
      assert.isTrue(boxes.some((box) => box.page === page && box.top > top + 15 && box.bottom < 690))
    }
    assert.isAtLeast(headings.length, 10)
  })
})

describe("Lines of text", () => {
  const fonts = new Fonts()
  const widthOf = (line: ReadonlyArray<{ readonly advance: number; readonly text: string }>) =>
    line.slice(0, line.at(-1)?.text === " " ? -1 : undefined)
      .reduce((sum, { advance }) => sum + advance, 0) * styles.body.size / 1000

  /** Turns `[U+…]`, which is written for a character that no font has, back into that character. */
  const written = (text: string) =>
    text.replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, point) => String.fromCodePoint(Number.parseInt(point, 16)))

  it.prop("keep every letter of any text, and fit their column", { text: Schema.String }, ({ text }) => {
    const wrapped = fonts.wrap(text, styles.body, 100)
    const kept = wrapped.map((line) => line.map(({ text }) => text).join("")).join("")
    assert.strictEqual(written(kept).replace(/\s/g, ""), text.normalize("NFC").replace(/\s/g, ""))
    for (const line of wrapped) assert.isTrue(line.length === 1 || widthOf(line) <= 100)
  })

  it("are broken at spaces, and within a word only if it is wider than the column", () => {
    const broken = (text: string) =>
      fonts.wrap(text, styles.body, 60).map((line) => line.map(({ text }) => text).join(""))
    assert.deepStrictEqual(broken("a word  or\ttwo"), ["a word or ", "two"])
    assert.deepStrictEqual(broken("one\n\n\n\ntwo "), ["one ", " ", "two"])
    assert.deepStrictEqual(broken("x mmmmmmmmmm"), ["x ", "mmmmm", "mmmmm"])
    assert.deepStrictEqual(broken("i WWWWWWW"), ["i ", "WWWWW", "WW"])
    assert.deepStrictEqual(broken(""), [""])
  })
})

describe("The fonts in a document", () => {
  it("draw each character as the whole font does, including characters with several components", async () => {
    const opened = (file: Uint8Array) => new Font(new Face(new Blob(file)))
    const whole = opened(readFileSync(typeface("sans", "regular").file))
    const characters = Array.from(whole.face.collectUnicodes(), (point) => String.fromCodePoint(point))
      // A document's text is in NFC, so a character that NFC replaces is not drawn.
      .filter((character) => /^[\p{L}\p{N}]$/u.test(character) && character.normalize("NFC") === character)
      .filter((character) => /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character))
    assert.isAbove(characters.length, 1500)
    const document = await PDFDocument.load(
      await rendered(contentOf({ disclosingParty: { name: characters.join(" ") } }))
    )
    const [embedded] = document.context.enumerateIndirectObjects().flatMap(([, object]) =>
      object instanceof PDFRawStream && object.dict.has(PDFName.of("Length1"))
        ? [decodePDFRawStream(object).decode()]
        : []
    ).toSorted((one, other) => other.length - one.length)
    const drawn = opened(embedded!)
    for (const character of characters) {
      const glyph = whole.nominalGlyph(character.codePointAt(0)!)!
      assert.strictEqual(drawn.glyphToPath(glyph), whole.glyphToPath(glyph), character)
      assert.isAbove(drawn.glyphToPath(glyph).length, 10, character)
    }
  })
})
