import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import { inflateSync } from "node:zlib"
import { PDFDict, PDFDocument, PDFName } from "pdf-lib"
import type { AttachedFile } from "../../../src/services/pdf/Attachment.ts"
import type { Frame } from "../../../src/services/pdf/Frames.ts"
import type { Block } from "../../../src/services/pdf/Lines.ts"
import { PdfFile } from "../../../src/services/pdf/PdfFile.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import type { Cell } from "../../../src/services/pdf/Table.ts"
import { ask, detached, makeIdentity, needsTools, noTools, unbroken } from "./Pdf.ts"
import { elementsOf, readStructure } from "./Structure.ts"

const asked = (name: string, test: () => Promise<void>) => it.skipIf(noTools)(`${name}${needsTools}`, test)

const frame: Frame = { header: "A header", footer: ["A footer", "in two lines"] }

const metadata = {
  title: "A title",
  author: "An author",
  subject: "A subject",
  language: "en-US",
  createdAt: new Date("2026-11-21T17:05:23Z"),
  id: Buffer.alloc(32, 7)
}

const open = () => {
  const written: Array<Buffer> = []
  const file = new PdfFile(async (bytes) => {
    written.push(Buffer.from(bytes))
  })
  return { file, bytes: () => Buffer.concat(written) }
}

/** Writes one file of parts. */
const made = async (parts: ReadonlyArray<ReadonlyArray<Block>>, frames: Frame = frame) => {
  const { bytes, file } = open()
  const writer = new PdfWriter([frames])
  const written = []
  for (const blocks of parts) written.push(await writer.part(blocks, [file]))
  await writer.finish(file, { parts: written, frame: frames, attachments: [], metadata })
  return bytes()
}

const attachment = (name: string, bytes: Buffer, changes: Partial<AttachedFile> = {}): AttachedFile => ({
  name,
  mimeType: "application/json",
  description: `What ${name} is`,
  relationship: "Data",
  createdAt: metadata.createdAt,
  bytes: Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]),
  ...changes
})

const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: "heading", level, text })

const paragraph = (text: string): Block => ({ kind: "paragraph", text })

const text = (...texts: ReadonlyArray<string>): Cell => texts.map((text) => ({ text }))

const pagesOf = async (pdf: Uint8Array, ...options: ReadonlyArray<string>) =>
  (await ask(pdf, "pdftotext", ...options)).split("\f").slice(0, -1)

const sound = async (pdf: Uint8Array) => {
  assert.include(await ask(pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
  assert.deepStrictEqual((await readStructure(pdf)).problems, [])
}

/** Filler of so many lines. */
const lines = (count: number, word = "line") =>
  paragraph(Array.from({ length: count }, (_, n) => `${word} ${n}`).join("\n"))

describe("files that have pages in common", () => {
  /** Makes the recipient's file and the veteran's, as a release does: what is only in the latter comes last. */
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

  asked("have each its own frame, numbers of pages, outline and fonts", async () => {
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

  it("show nothing of what another has, to the byte", async () => {
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

describe("headings", () => {
  asked("make sections and bookmarks, each below the last one of a higher level", async () => {
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
    const sections = (await readStructure(pdf)).document.kids.map((
      section
    ) => [section.type, ...section.kids.map(({ kids, type }) => [type, ...kids.map(({ type }) => type)].join(" "))])
    assert.deepStrictEqual(sections, [
      ["Sect", "H1", "Sect H2 P Sect", "Sect H2"],
      ["Sect", "H2", "P"],
      ["Sect", "H1", "Sect H2 P"]
    ])
  })

  asked("are never the last of a page", async () => {
    for (const count of [38, 39, 40, 41, 42]) {
      const pdf = await made([[lines(count), heading(2, "Heading"), paragraph("after it"), lines(3)]])
      const page = (await pagesOf(pdf)).find((page) => page.includes("Heading"))!
      assert.include(page, "after it", String(count))
    }
  })
})

describe("tables", () => {
  const rows = Array.from({ length: 120 }, (_, n) => [
    text(`2019-03-${String(n % 28 + 1).padStart(2, "0")}`),
    [{ text: `Substance number ${n} with a name that takes two lines`, bold: true }, { text: `LOINC ${n}-0` }],
    text(`${n}.00 mg/dL`, "Reference range 1.0 to 2.0"),
    n % 3 === 0 ? [] : text("Final")
  ])
  const table = { kind: "table", headers: ["Date", "What", "Value", "Status"], widths: [2, 4, 4, 1], rows } as const

  asked("repeat their headers on each page, and are one table of header cells and cells to who hears it", async () => {
    const pdf = await made([[heading(1, "Record"), table]])
    await sound(pdf)
    const pages = await pagesOf(pdf)
    assert.isAbove(pages.length, 8)
    for (const page of pages) for (const header of table.headers) assert.include(page.split("\n"), header)
    const { document } = await readStructure(pdf)
    const [only, ...others] = elementsOf(document, "Table")
    assert.isEmpty(others)
    assert.lengthOf(only!.kids, 121)
    assert.deepStrictEqual(only!.kids[0]!.kids.map(({ scope }) => scope), Array(4).fill("/Column"))
    assert.lengthOf(elementsOf(document, "TH"), 4)
    const heard = await ask(pdf, "pdfinfo", "-struct-text")
    assert.lengthOf(heard.match(/"Date"/g)!, 1)
    assert.match(heard, /"Substance number 119 with a name that takes two lines ?"\n +P \(block\)\n +"LOINC 119-0"/)
  })

  asked("read a cell as one, whatever stands beside its lines, and all of them in order", async () => {
    const pdf = await made([[table]])
    const expected = rows.map((cells) => cells.map((cell) => cell.map(({ text }) => text).join(" ")).join(" ").trim())
    const raw = unbroken((await pagesOf(pdf, "-raw")).join(" "))
    const plain = unbroken((await pagesOf(pdf)).join(" "))
    for (const [n, row] of expected.entries()) {
      assert.include(raw, row)
      for (const cell of rows[n]!) assert.include(plain, unbroken(cell.map(({ text }) => text).join(" ")))
      if (n > 0) assert.isAbove(raw.indexOf(row), raw.indexOf(expected[n - 1]!))
    }
  })

  asked("keep a row on one page, and part only what is longer than ten lines", async () => {
    const tall = Array.from({ length: 200 }, (_, n) => `tall ${n}`).join("\n")
    const pdf = await made([[{ ...table, rows: [...rows, [text("x"), text(tall), text("y"), text("z")], ...rows] }]])
    await sound(pdf)
    const pages = await pagesOf(pdf, "-raw")
    for (const n of rows.keys()) {
      const holding = pages.filter((page) => unbroken(page).includes(`Substance number ${n} with a name`))
      assert.isAtLeast(holding.length, 1)
      assert.isTrue(
        holding.every((page) => unbroken(page).includes(`${n}.00 mg/dL Reference range 1.0 to 2.0`)),
        String(n)
      )
    }
    const parted = pages.map((page) => page.match(/tall \d+/g)?.length ?? 0).filter((count) => count > 0)
    assert.isAbove(parted.length, 4)
    assert.isAtLeast(Math.min(...parted), 2)
    assert.strictEqual(parted.reduce((sum, count) => sum + count), 200)
  })

  asked("have rows of empty cells, no rows, and rows that come one by one", async () => {
    const coming = async function*() {
      for (const row of rows.slice(0, 50)) {
        await Promise.resolve()
        yield row
      }
    }
    const [column, widths] = [["A", "B"], [1, 1]]
    const pdf = await made([[
      { kind: "table", headers: column, widths, rows: [] },
      { kind: "table", headers: column, widths, rows: [[[], []], [text(""), []]] },
      { ...table, rows: coming() }
    ]])
    await sound(pdf)
    assert.deepStrictEqual(
      elementsOf((await readStructure(pdf)).document, "Table").map(({ kids }) => kids.length),
      [1, 3, 51]
    )
    assert.include(unbroken((await pagesOf(pdf, "-raw")).join(" ")), "49.00 mg/dL")
  })

  asked("have letters of ten points at least", async () => {
    const boxes = await ask(await made([[table]]), "pdftotext", "-bbox")
    const heights = [...boxes.matchAll(/yMin="(.+?)".*?yMax="(.+?)"/g)].map(([, top, bottom]) =>
      Number(bottom) - Number(top)
    )
    assert.isAtLeast(Math.min(...heights), 10 * 1.36)
  })
})

describe("attached files", () => {
  const noise = randomBytes(300_000)
  const json = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, value: "1.00" }))))
  const files = [
    attachment("record.fhir.json", json),
    attachment("Schädel – Ωmega.png", noise, { mimeType: "image/png", relationship: "Supplement" }),
    attachment("authorization.json", Buffer.from("{}")),
    attachment("empty.txt", Buffer.alloc(0), { mimeType: "text/plain" })
  ]

  asked("come out as they went in, with their names, sizes, sums and dates", async () => {
    const { bytes, file } = open()
    const writer = new PdfWriter([frame])
    const part = await writer.part([paragraph("x")], [file])
    const attachments = []
    for (const one of files) attachments.push(await writer.attach(one, [file]))
    await writer.finish(file, { parts: [part], frame, attachments, metadata, identity: await makeIdentity("rsa") })
    const pdf = bytes()
    await sound(pdf)
    assert.include(await ask(pdf, "pdfsig", "-nocert"), "Signature is Valid")
    const found = await detached(pdf)
    assert.deepStrictEqual([...found.keys()].sort(), files.map(({ name }) => name).sort())
    assert.isTrue(found.get("record.fhir.json")!.equals(json))
    assert.isTrue(found.get("Schädel – Ωmega.png")!.equals(noise))
    assert.strictEqual(String(found.get("authorization.json")), "{}")
    assert.strictEqual(found.get("empty.txt")!.length, 0)
    // What does not become smaller stands as it is; what does, does not.
    assert.isTrue(pdf.includes(noise))
    assert.isFalse(pdf.includes(json.subarray(0, 1000)))
    const listed = JSON.parse(await ask(pdf, "qpdf", "--json=1", "--json-key=attachments")) as {
      readonly attachments: Record<string, { readonly preferredcontents: string }>
    }
    const { streams } = { streams: await ask(pdf, "qpdf", "--list-attachments", "--verbose") }
    assert.deepStrictEqual(
      Object.keys(listed.attachments),
      ["authorization.json", "empty.txt", "record.fhir.json", "Schädel – Ωmega.png"].sort((one, other) =>
        Buffer.from(one, "utf16le").swap16().compare(Buffer.from(other, "utf16le").swap16())
      )
    )
    assert.include(streams, createHash("md5").update(noise).digest("hex"))
    assert.include(streams, createHash("md5").update(json).digest("hex"))
    const params = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects().flatMap(([, object]) =>
      object instanceof PDFDict && object.has(PDFName.of("CheckSum")) ? [object] : []
    )
    assert.deepStrictEqual(params.map((one) => Number(one.get(PDFName.of("Size")))), [json.length, noise.length, 2, 0])
    assert.deepStrictEqual(
      new Set(params.map((one) => String(one.get(PDFName.of("CreationDate"))))),
      new Set(["(D:20261121170523Z)"])
    )
    assert.include(streams, "image/png")
  })

  it("pass on why their bytes cannot be had", async () => {
    const { file } = open()
    const failing = async function*() {
      yield Buffer.alloc(100_000)
      throw new Error("not found")
    }
    const failed = await new PdfWriter([frame]).attach(attachment("x", noise, { bytes: failing() }), [file])
      .then(() => "attached", (error: Error) => error.message)
    assert.strictEqual(failed, "not found")
  })
})

describe("a preview", () => {
  asked("says so on each page, and has the place of what is signed", async () => {
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

describe("the cross-references of a file", () => {
  it("name the byte at which each object begins, and none that the file has not", async () => {
    const [one, other] = [open(), open()]
    const writer = new PdfWriter([frame])
    const hidden = await writer.part([lines(300)], [other.file])
    const part = await writer.part([heading(1, "Title"), lines(300)], [one.file, other.file])
    await writer.finish(one.file, { parts: [part], frame, attachments: [], metadata })
    await writer.finish(other.file, { parts: [hidden, part], frame, attachments: [], metadata })
    for (const { bytes } of [one, other]) {
      const pdf = bytes()
      const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString("latin1"))![1])
      const dictionary = pdf.toString("latin1", at, pdf.indexOf("stream\n", at))
      const sections = /\/Index\[([\d ]+)\]/.exec(dictionary)![1]!.split(" ").map(Number)
      const rows = inflateSync(pdf.subarray(pdf.indexOf("stream\n", at) + 7))
      const entered = new Map<number, readonly [type: number, where: number]>()
      for (let section = 0, row = 0; section < sections.length; section += 2) {
        for (let n = 0; n < sections[section + 1]!; n++, row += 7) {
          entered.set(sections[section]! + n, [rows[row]!, rows.readUInt32BE(row + 1)])
        }
      }
      const placed = [...entered].filter(([, [type]]) => type === 1)
      for (const [number, [, where]] of placed) {
        assert.isTrue(pdf.toString("latin1", where, where + 20).startsWith(`${number} 0 obj\n`))
      }
      assert.lengthOf(pdf.toString("latin1").match(/^\d+ 0 obj$/gm)!, placed.length)
      assert.isAbove(entered.size, placed.length)
      assert.include(dictionary, `/Size ${Math.max(...entered.keys()) + 1}/`)
    }
  })
})
