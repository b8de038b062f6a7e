import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { PDFDict, PDFDocument, PDFName } from "pdf-lib"
import { attachmentsInCatalog } from "../../../src/services/pdf/Attachment.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import { makeIdentity } from "./Pdf.ts"
import { ask, attachedAs, attachments as detached } from "./PdfTools.ts"
import { attachment, frame, metadata, open, paragraph, sound } from "./Written.ts"

describe("Attached files", () => {
  const noise = randomBytes(300_000)
  const json = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, value: "1.00" }))))
  const files = [
    attachment("record.fhir.json", json),
    attachment("Schädel – Ωmega.png", noise, { mimeType: "image/png", relationship: "Supplement" }),
    attachment("authorization.json", Buffer.from("{}")),
    attachment("empty.txt", Buffer.alloc(0), { mimeType: "text/plain" }),
    attachment("notes (1).txt", Buffer.from("one"), { mimeType: "text/plain" })
  ]

  it("come out unchanged, with their names, sizes, checksums and dates", async () => {
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
    // These names are stored as plain text, so even a reader that compares their bytes finds them.
    assert.isTrue((await attachedAs(pdf, "record.fhir.json")).equals(json))
    assert.strictEqual(String(await attachedAs(pdf, "notes (1).txt")), "one")
    // Data that deflate does not shorten is stored unchanged, and all other data deflated.
    assert.isTrue(pdf.includes(noise))
    assert.isFalse(pdf.includes(json.subarray(0, 1000)))
    const listed = JSON.parse(await ask(pdf, "qpdf", "--json=1", "--json-key=attachments")) as {
      readonly attachments: Record<string, { readonly preferredcontents: string }>
    }
    const { streams } = { streams: await ask(pdf, "qpdf", "--list-attachments", "--verbose") }
    assert.deepStrictEqual(
      Object.keys(listed.attachments),
      files.map(({ name }) => name).sort((one, other) =>
        Buffer.from(one, "utf16le").swap16().compare(Buffer.from(other, "utf16le").swap16())
      )
    )
    assert.include(streams, createHash("md5").update(noise).digest("hex"))
    assert.include(streams, createHash("md5").update(json).digest("hex"))
    const params = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects().flatMap(([, object]) =>
      object instanceof PDFDict && object.has(PDFName.of("CheckSum")) ? [object] : []
    )
    assert.deepStrictEqual(params.map((one) => Number(one.get(PDFName.of("Size")))), [json.length, noise.length, 2, 0,
      3])
    assert.deepStrictEqual(
      new Set(params.map((one) => String(one.get(PDFName.of("CreationDate"))))),
      new Set(["(D:20261121170523Z)"])
    )
    assert.include(streams, "image/png")
  })

  it("pass on the reason if their bytes cannot be read", async () => {
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

describe("The name tree of attachments", () => {
  it("lists a name before longer names that begin with it, as a binary search expects", () => {
    const attachments = [{ name: "scan.html", number: 7 }, { name: "scan.htm", number: 8 }]
    const [long, short] = ["007300630061006E002E00680074006D006C", "007300630061006E002E00680074006D"]
    assert.strictEqual(
      attachmentsInCatalog(attachments),
      `/Names<</EmbeddedFiles<</Names[<FEFF${short}> 8 0 R <FEFF${long}> 7 0 R]>>>>/AF[7 0 R 8 0 R]`
    )
  })
})
