import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { PDFDict, PDFDocument, PDFName } from "pdf-lib"
import type { Block } from "../../../src/services/pdf/Lines.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import { makeIdentity } from "./Pdf.ts"
import { ask, unbroken } from "./PdfTools.ts"
import { readStructure } from "./Structure.ts"
import { attachment, frame, heading, lines, made, metadata, open, pagesOf, paragraph, sound, text } from "./Written.ts"

describe("Files that have pages in common", () => {
  /**
   * Makes the recipient's file and the veteran's, as a release does. The content that only the veteran's file has is
   * written last.
   */
  const both = async (own: { readonly blocks: ReadonlyArray<Block>; readonly attached?: Buffer } | null) => {
    const [recipients, veterans] = [open(), open()]
    const ownFrame = { ...frame, header: "A header – Veteran’s copy" }
    const writer = new PdfWriter([frame, ownFrame])
    const shared = own === null ? [recipients.file] : [recipients.file, veterans.file]
    const first = await writer.part([heading(1, "For the recipient"), paragraph("alone")], [recipients.file])
    const record = await writer.part([heading(1, "The record"), lines(100)], shared)
    const json = await writer.attach(attachment("record.json", Buffer.from("{}".repeat(100_000))), shared)
    const identity = await identities.ec
    await writer.finish(recipients.file, { parts: [first, record], frame, attachments: [json], metadata })
    if (own === null) return { recipients: recipients.bytes(), veterans: null }
    const ownFirst = await writer.part(own.blocks, [veterans.file])
    const attachments = own.attached === undefined
      ? [json]
      : [json, await writer.attach(attachment("own.bin", own.attached), [veterans.file])]
    const parts = [ownFirst, record]
    await writer.finish(veterans.file, { parts, frame: ownFrame, attachments, metadata, identity })
    return { recipients: recipients.bytes(), veterans: veterans.bytes() }
  }
  const identities = { ec: makeIdentity("ec") }

  it("each have a separate frame, outline, page numbers and fonts", async () => {
    const { recipients, veterans } = await both({ blocks: [heading(1, "For the veteran"), lines(50, "Ωmega")] })
    await sound(recipients)
    await sound(veterans!)
    const [recipientPages, veteranPages] = [await pagesOf(recipients), await pagesOf(veterans!)]
    assert.lengthOf(veteranPages, recipientPages.length + 1)
    for (
      const [pages, header] of [[recipientPages, "A header"], [veteranPages, "A header – Veteran’s copy"]] as const
    ) {
      pages.forEach((page, index) => {
        assert.include(unbroken(page), "A footer")
        assert.include(unbroken(page), `Page ${index + 1} of ${pages.length}`)
        assert.strictEqual(page.split("\n").includes(header), index > 0)
      })
    }
    const record = (pages: ReadonlyArray<string>) => pages.join(" ").match(/line \d+/g)
    assert.lengthOf(record(recipientPages)!, 100)
    assert.deepStrictEqual(record(veteranPages), record(recipientPages))
    assert.include(await ask(veterans!, "pdfsig", "-nocert"), "Signature is Valid")
    assert.include(await ask(recipients, "pdfsig", "-nocert"), "does not contain any signatures")
  })

  it("may have another header from the second part on", async () => {
    const laterHeader = "Ελένη כהן, born 1961-04-12 ".repeat(6).trim()
    const pdf = await made([[lines(100, "first")], [lines(100, "second")], [lines(2, "third")]], {
      ...frame,
      laterHeader
    })
    await sound(pdf)
    const pages = await pagesOf(pdf, "-raw")
    for (const [index, page] of pages.entries()) {
      assert.strictEqual(page.includes("born 1961-04-12"), !page.includes("first"), String(index))
      assert.strictEqual(page.includes("A header"), page.includes("first") && index > 0, String(index))
    }
    assert.include(unbroken(pages.at(-1)!).replaceAll(/[\u202a-\u202e]/g, ""), laterHeader)
  })

  it("show no byte of what only another file has", async () => {
    const alone = await both(null)
    const little = await both({ blocks: [heading(1, "For the veteran")] })
    const much = await both({
      blocks: [heading(1, "Für Ωmega"), lines(500), {
        kind: "table",
        headers: ["Secret"],
        widths: [1],
        rows: [[text("x")]]
      }],
      attached: randomBytes(100_000)
    })
    assert.isTrue(little.recipients.equals(alone.recipients))
    assert.isTrue(much.recipients.equals(alone.recipients))
    assert.isAbove(much.veterans!.length, little.veterans!.length + 100_000)
  })

  it("refuse a part that was not written to them", async () => {
    const [one, other] = [open(), open()]
    const writer = new PdfWriter([frame])
    const part = await writer.part([paragraph("x")], [one.file])
    const failed = await writer.finish(other.file, { parts: [part], frame, attachments: [], metadata })
      .then(() => "finished", (error: Error) => error.message)
    assert.strictEqual(failed, "a part was not written to this file")
  })
})

describe("Headings", () => {
  it("make sections and bookmarks, each below the last one of a higher level", async () => {
    const pdf = await made([
      [heading(1, "One"), heading(2, "One A"), lines(60), heading(3, "One A a"), paragraph("x"),
        heading(2, "One B – ‮Ω")],
      [heading(2, "Alone"), paragraph("x")],
      [heading(1, "Two"), heading(2, "Two A"), paragraph("x")]
    ])
    await sound(pdf)
    const { outlines } = JSON.parse(await ask(pdf, "qpdf", "--json=1", "--json-key=outlines")) as {
      readonly outlines: ReadonlyArray<Outline>
    }
    interface Outline {
      readonly title: string
      readonly destpageposfrom1: number
      readonly kids: ReadonlyArray<Outline>
      readonly open: boolean
    }
    const nested = (items: ReadonlyArray<Outline>): ReadonlyArray<unknown> =>
      items.map(({ destpageposfrom1, kids, title }) => [title, destpageposfrom1, ...nested(kids)])
    assert.deepStrictEqual(nested(outlines), [
      ["One", 1, ["One A", 1], ["One B – ‮Ω", 2], ["Alone", 3]],
      ["Two", 4, ["Two A", 4]]
    ])
    // All outline items are open, so the count includes every item.
    const { catalog } = await PDFDocument.load(pdf)
    assert.strictEqual(String(catalog.lookup(PDFName.of("Outlines"), PDFDict).get(PDFName.of("Count"))), "6")
    const sections = (await readStructure(pdf)).document.kids.map((
      section
    ) => [section.type, ...section.kids.map(({ kids, type }) => [type, ...kids.map(({ type }) => type)].join(" "))])
    assert.deepStrictEqual(sections, [
      ["Sect", "H1", "Sect H2 P Sect", "Sect H2"],
      ["Sect", "H2", "P"],
      ["Sect", "H1", "Sect H2 P"]
    ])
  })

  it("are never the last line of a page", async () => {
    for (const count of [38, 39, 40, 41, 42]) {
      const pdf = await made([[lines(count), heading(2, "Heading"), paragraph("after it"), lines(3)]])
      const page = (await pagesOf(pdf)).find((page) => page.includes("Heading"))!
      assert.include(page, "after it", String(count))
    }
  })
})

describe("A preview", () => {
  it("says on each page that it is one, and has its text at the same places as the signed pages", async () => {
    const blocks = [heading(1, "Title"), lines(120)]
    const preview = await made([blocks], { ...frame, watermark: "Preview, not signed" })
    await sound(preview)
    const pages = await pagesOf(preview, "-layout")
    assert.isAbove(pages.length, 2)
    for (const page of pages) assert.match(page, /^ +Preview, not signed\n/)
    const unmarked = async (pdf: Buffer) =>
      (await ask(pdf, "pdftotext", "-bbox")).replace(/.*>(Preview,|not|signed)<.*\n/g, "")
    assert.strictEqual(await unmarked(preview), await unmarked(await made([blocks])))
    assert.include(await ask(preview, "pdfsig"), "does not contain any signatures")
  })
})
