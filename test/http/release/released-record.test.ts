import { createHash } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { attachments } from "../../services/pdf/PdfTools.ts"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { isAwaited } from "../../support/Locks.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { recipientCopy, releasedRecord } from "../document/Copies.ts"
import { acceptedNow, namesIn, of } from "./ReleasedRecords.ts"
import { download, sign, signed, upload } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

/** The bundle that a release carries, as text. */
const bundleOf = async (id: string) => (await releasedRecord(service, superuser, id)).toString()

const url = `${service.url}/api/fhir/R4`

describe("A release carries the record that it releases", () => {
  test("as a bundle of the exact texts that were synchronised", async () => {
    const exact = `{ "resourceType":"Observation" ,"id":"o.1", "valueQuantity":{"value":-1.000000000000000000E+245} }`
    await sync(service, veteran, { Condition: "complete", Observation: "complete", Immunization: "complete" }, {
      Condition: [resource("Condition", "b"), resource("Condition", "a")],
      Observation: [exact],
      Immunization: [resource("Immunization", "not asked for")].map((text) => text.replaceAll(" ", "-"))
    })
    const { document } = await signed(service, veteran, of("Observation", "Condition", "Procedure"))
    assert.strictEqual(
      await bundleOf(document.id),
      `{"resourceType":"Bundle","id":"${document.id}","type":"collection","timestamp":"${document.signedAt}","entry":[` +
        `{"fullUrl":"${url}/Patient/${veteran.id}","resource":{"resourceType":"Patient","id":"${veteran.id}",` +
        `"meta":{"tag":[{"code":"generated","display":"Generated from the signed authorization"}]},` +
        `"name":[{"use":"official","text":"Sean O'Hara"}],"birthDate":"1962-03-04"}},` +
        `{"fullUrl":"${url}/Condition/a","resource":${resource("Condition", "a")}},` +
        `{"fullUrl":"${url}/Condition/b","resource":${resource("Condition", "b")}},` +
        `{"fullUrl":"${url}/Observation/o.1","resource":${exact}}]}`
    )
  })

  test("with only active items, and only those whose categories are all accepted", async () => {
    const all = [
      resource("Condition", "plain"),
      resource("Condition", "hiv", { categories: ["hiv"] }),
      resource("Condition", "both", { categories: ["hiv", "sickle_cell"] }),
      resource("Condition", "gone")
    ]
    await sync(service, veteran, { Condition: "complete" }, { Condition: all })
    await sync(service, veteran, { Condition: "complete" }, { Condition: all.slice(0, 3) })
    const released = async (...categories: ReadonlyArray<string>) => {
      const request = { ...of("Condition"), sensitiveCategories: acceptedNow(...categories) }
      return namesIn(await bundleOf((await signed(service, veteran, request)).document.id))
    }
    assert.deepStrictEqual(await released(), ["Condition/plain"])
    assert.deepStrictEqual(await released("sickle_cell"), ["Condition/plain"])
    assert.deepStrictEqual(await released("hiv"), ["Condition/hiv", "Condition/plain"])
    assert.deepStrictEqual(await released("sickle_cell", "hiv"), [
      "Condition/both",
      "Condition/hiv",
      "Condition/plain"
    ])
  })

  test("with only items of the requested dates", async () => {
    const dated = (id: string, date?: string) => JSON.stringify({ resourceType: "Condition", id, recordedDate: date })
    await sync(service, veteran, { Condition: "complete", Patient: "complete" }, {
      Condition: [dated("before", "2019-12-31"), dated("within", "2020-05"), dated("after", "2021"), dated("undated")],
      Patient: [resource("Patient", "p")]
    })
    const information = { resourceTypes: ["Condition", "Patient"], dateFrom: "2020-01-01", dateTo: "2020-12-31" }
    const { document } = await signed(service, veteran, { information })
    assert.deepStrictEqual(namesIn(await bundleOf(document.id)), ["Condition/within", "Patient/p"])
  })

  test("as of one moment, even if the record changes during the read", async () => {
    await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: [resource("Condition", "c")],
      Observation: [resource("Observation", "o")]
    })
    const changing = await database.connect("superuser")
    await changing.query("begin")
    await changing.query("lock table health_record_items in access exclusive mode")
    const signing = signed(service, veteran, of("Condition", "Observation"))
    await until("the record is read", () => isAwaited(superuser, "health_record_items"))
    await changing.query(
      "update health_record_items set active = false, deactivated_at = now() where veteran_id = $1",
      [veteran.id]
    )
    await changing.query("commit")
    const { document } = await signing
    assert.deepStrictEqual(namesIn(await bundleOf(document.id)), ["Condition/c", "Observation/o"])
    const next = await signed(service, veteran, of("Condition", "Observation"))
    assert.deepStrictEqual(namesIn(await bundleOf(next.document.id)), [])
  })

  test("or leaves nothing behind, if a document cannot be read back", async () => {
    const [{ id }, other] = [
      (await upload(service, veteran, "text")).json,
      (await upload(service, veteran, "another text")).json
    ]
    await superuser.query(
      "update documents set storage_key = (select storage_key from documents where id = $2) where id = $1",
      [id, other.id]
    )
    const answer = await sign(service, veteran, { information: { resourceTypes: ["Condition"], documentIds: [id] } })
    assert.deepStrictEqual([answer.status, answer.json.error], [500, "internal_error"])
    const { items } = (await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })).json
    assert.deepStrictEqual(items.map(({ kind }: { kind: string }) => kind), ["upload", "upload"])
  })
})

describe("Both copies of a release", () => {
  test("carry the same record, and the documents as they were uploaded", async () => {
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c")] })
    const letter = "Dear Dr. Gray\n".repeat(10_000)
    const { id } = (await upload(service, veteran, letter)).json
    const { document } = await signed(service, veteran, {
      information: { resourceTypes: ["Condition"], documentIds: [id] }
    })
    const bundle = await releasedRecord(service, superuser, document.id)
    const own = await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)
    for (const pdf of [own.bytes, await recipientCopy(service, superuser, document.id)]) {
      const attached = await attachments(pdf)
      assert.strictEqual(attached.size, 3)
      assert.isTrue(attached.get("record.fhir.json")!.equals(bundle))
      const hashes = [...attached.values()].map((bytes) => createHash("sha256").update(bytes).digest("hex"))
      assert.include(hashes, createHash("sha256").update(letter).digest("hex"))
    }
    const answered = await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)
    assert.isTrue(answered.bytes.equals(bundle))
  })
})
