import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { translationWords } from "../../../src/clinical/CcdaAbout.ts"
import { sectionsOf } from "../../clinical/Ccda.ts"
import { assertCda } from "../../support/CdaSchema.ts"
import { signInVeteran } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { kindsOf, readAccount } from "../ledger/Account.ts"
import { download, signed, upload } from "../release/Releases.ts"

const { service } = await openJudgedApp()

const active = JSON.stringify({
  resourceType: "Condition",
  id: "active",
  clinicalStatus: { coding: [{ code: "active" }] },
  code: { text: "Hypertension" }
})

const veteran = await signInVeteran(service)

await sync(service, veteran, { Condition: "complete" }, { Condition: [active] })

const id: string = (await signed(service, veteran)).document.id

const read = (file: string, document = id) =>
  download(service, veteran, `/api/veteran/me/documents/${document}/${file}`)

// released-record.test.ts has the exact bytes of a record, and withheld.test.ts what neither file has.
describe.each(["record", "ccda"])("GET /api/veteran/{veteranId}/documents/{documentId}/%s", (file) => {
  test("is not changed by a sync after the signing", async () => {
    const before = await read(file)
    assert.strictEqual(before.status, 200)
    await sync(service, veteran, { Condition: "empty" })
    assert.isTrue((await read(file)).bytes.equals(before.bytes))
  })

  test("appears in the account of disclosures like a download of the document", async () => {
    const before = await kindsOf(service, veteran)
    await read(file)
    assert.deepStrictEqual(await kindsOf(service, veteran), [...before, "document_read"])
    const [event] = (await readAccount(service, veteran)).json.items
    assert.deepStrictEqual([event.documentId, event.actor.kind], [id, "veteran"])
  })

  test("answers 404 for an upload, without an event in the account", async () => {
    const uploaded = (await upload(service, veteran, "text")).json.id
    const before = await kindsOf(service, veteran)
    const { bytes, status } = await read(file, uploaded)
    assert.deepStrictEqual([status, JSON.parse(bytes.toString()).error], [404, "not_found"])
    assert.deepStrictEqual(await kindsOf(service, veteran), before)
  })
})

test("A release as C-CDA is a valid CDA document that calls itself a translation, and leaves no file behind", async () => {
  const { bytes, status } = await read("ccda")
  assert.strictEqual(status, 200)
  const xml = bytes.toString()
  assertCda(xml)
  const sections = sectionsOf(xml)
  assert.include(sections.get("About this document")!.text, translationWords)
  const { entries, text } = sections.get("Problems")!
  assert.include(text, "<td>Hypertension</td>")
  assert.deepStrictEqual(entries.map((entry) => entry.act[0].id), [[{
    "@_root": id,
    "@_extension": "Condition/active"
  }]])
  // The head has the person, so the Patient that the release makes has no place in the text.
  assert.notInclude(xml, veteran.id)
  const left = async () => (await readdir(join(service.directory, ".data/uploads/tmp"))).length
  await until("the translation is gone", async () => await left() === 0)
})
