import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, beforeEach, describe, test } from "vitest"
import { translationWords } from "../../../src/clinical/CcdaAbout.ts"
import { sectionsOf } from "../../clinical/Ccda.ts"
import { assertCda } from "../../support/CdaSchema.ts"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { kindsOf } from "../ledger/Account.ts"
import { download, signed, upload } from "../release/Releases.ts"

const { service } = await openJudgedApp()

let veteran: SignedIn

let id: string

const active = JSON.stringify({
  resourceType: "Condition",
  id: "active",
  clinicalStatus: { coding: [{ code: "active" }] },
  code: { text: "Hypertension" }
})

const released = async (...hidden: ReadonlyArray<string>) => {
  const veteran = await signInVeteran(service)
  await sync(service, veteran, { Condition: "complete" }, { Condition: [active, ...hidden] })
  return { veteran, id: (await signed(service, veteran)).document.id }
}

beforeEach(async () => {
  const made = await released(resource("Condition", "hidden", { categories: ["hiv"] }))
  veteran = made.veteran
  id = made.id
})

const pathOf = (document: string) => `/api/veteran/me/documents/${document}/ccda`

const ccda = (document = id, by = veteran) => download(service, by, pathOf(document))

describe("GET /api/veteran/{veteranId}/documents/{documentId}/ccda", () => {
  test("answers with a valid CDA document of the release that calls itself a translation", async () => {
    const { bytes, status } = await ccda()
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
  })

  test("is the same for two veterans whose records differ in withheld items, except for ids and times", async () => {
    const other = await released()
    const [one, two] = await Promise.all([ccda(), ccda(other.id, other.veteran)])
    const plain = ({ bytes }: { readonly bytes: Buffer }, id: string) =>
      bytes.toString().replaceAll(id, "ID").replaceAll(/(?<=<(?:effectiveTime|high|time) value=")\d{14}\+0000/g, "TIME")
    assert.strictEqual(plain(one, id), plain(two, other.id))
    assert.notInclude(one.bytes.toString(), "hidden")
    // The head has the person, so the Patient that the release makes has no place in the text.
    assert.notInclude(one.bytes.toString(), veteran.id)
  })

  test("is not changed by a sync after the signing", async () => {
    const before = await ccda()
    await sync(service, veteran, { Condition: "empty" })
    assert.isTrue((await ccda()).bytes.equals(before.bytes))
  })

  test("answers 404 for an upload, without an event in the account", async () => {
    const uploaded = (await upload(service, veteran, "text")).json.id
    const before = await kindsOf(service, veteran)
    const { bytes, status } = await ccda(uploaded)
    assert.deepStrictEqual([status, JSON.parse(bytes.toString()).error], [404, "not_found"])
    assert.deepStrictEqual(await kindsOf(service, veteran), before)
  })

  test("appears in the account of disclosures like a download of the document", async () => {
    const before = await kindsOf(service, veteran)
    await ccda()
    assert.deepStrictEqual(await kindsOf(service, veteran), [...before, "document_read"])
  })

  test("leaves no file behind", async () => {
    await ccda()
    const left = async () => (await readdir(join(service.directory, ".data/uploads/tmp"))).length
    await until("the translation is gone", async () => await left() === 0)
  })
})
