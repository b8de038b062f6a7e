import { randomBytes } from "node:crypto"
import { PDFDocument } from "pdf-lib"
import { assert, describe, test } from "vitest"
import { attachmentsOf } from "../../src/client/PdfAttachments.ts"
import { download, signed, upload } from "../http/release/Releases.ts"
import { openApp } from "../support/App.ts"
import { signInVeteran } from "../support/Client.ts"

const { service } = await openApp()

describe("attachmentsOf", () => {
  test("returns every file of a signed release by its name, byte for byte", async () => {
    const veteran = await signInVeteran(service)
    const content = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(200_000)])
    const { id } = (await upload(service, veteran, content, "résumé.pdf")).json
    const information = { resourceTypes: ["Condition"], documentIds: [id] }
    const { document } = await signed(service, veteran, { information })
    const path = `/api/veteran/me/documents/${document.id}`
    const attachments = await attachmentsOf((await download(service, veteran, `${path}/content`)).bytes)
    assert.lengthOf([...attachments], 3)
    assert.strictEqual(
      JSON.parse(Buffer.from(attachments.get("authorization.json")!).toString()).documentId,
      document.id
    )
    const record = (await download(service, veteran, `${path}/record`)).bytes
    assert.isTrue(record.equals(attachments.get("record.fhir.json")!))
    assert.isTrue([...attachments.values()].some((bytes) => content.equals(bytes)))
  })

  test("returns no file for a PDF without attachments", async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage()
    assert.deepStrictEqual([...await attachmentsOf(await pdf.save())], [])
  })
})
