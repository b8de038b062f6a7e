import { createHash } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { attachments } from "../../services/pdf/PdfTools.ts"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { kindsOf } from "../ledger/Account.ts"
import { createLink, view } from "../link/Links.ts"
import { download, signed, upload } from "../release/Releases.ts"
import { giveSessions, recipientCopy } from "./Copies.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

let id: string

/** Parsing this JSON and printing it again would change its spaces, digits and escapes. */
const exact =
  `{ "resourceType":"Condition",  "id":"exact", "x":1.00, "y":-1.000000000000000000E+245, "z":"\\u00e9\\/" }`

beforeEach(async () => {
  veteran = await signInVeteran(service)
  await sync(service, veteran, { Condition: "complete" }, {
    Condition: [exact, resource("Condition", "hidden", { categories: ["hiv"] })]
  })
  id = (await signed(service, veteran)).document.id
})

const pathOf = (document: string) => `/api/veteran/me/documents/${document}/record`

const record = (document = id, by = veteran) => download(service, by, pathOf(document))

describe("GET /api/veteran/{veteranId}/documents/{documentId}/record", () => {
  test("answers with the bundle that was released, each resource with its exact text", async () => {
    const { bytes, status } = await record()
    assert.strictEqual(status, 200)
    const bundle = JSON.parse(bytes.toString())
    assert.deepStrictEqual([bundle.resourceType, bundle.type, bundle.entry.length], ["Bundle", "collection", 2])
    assert.deepStrictEqual(bundle.entry[0], {
      fullUrl: `${service.url}/api/fhir/R4/Patient/${veteran.id}`,
      resource: {
        resourceType: "Patient",
        id: veteran.id,
        meta: { tag: [{ code: "generated", display: "Generated from the signed authorization" }] },
        name: [{ use: "official", text: "Sean O'Hara" }],
        birthDate: "1962-03-04"
      }
    })
    assert.include(bytes.toString(), `"resource":${exact}}`)
    assert.notInclude(bytes.toString(), "hidden")
  })

  test("answers with the same bytes that both PDF copies have attached", async () => {
    const { bytes } = await record()
    const own = (await download(service, veteran, `/api/veteran/me/documents/${id}/content`)).bytes
    for (const pdf of [own, await recipientCopy(service, superuser, id)]) {
      assert.isTrue((await attachments(pdf)).get("record.fhir.json")?.equals(bytes))
    }
    const { rows: [row] } = await superuser.query("select record_sha256 from documents where id = $1", [id])
    assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), row.record_sha256.toString("hex"))
  })

  test("is not changed by a sync after the signing", async () => {
    const before = await record()
    await sync(service, veteran, { Condition: "empty" })
    assert.isTrue((await record()).bytes.equals(before.bytes))
  })

  test("appears in the account of disclosures like a download of the document", async () => {
    const before = await kindsOf(service, veteran)
    await record()
    assert.deepStrictEqual(await kindsOf(service, veteran), [...before, "document_read"])
    const [event] = (await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })).json.items
    assert.deepStrictEqual([event.documentId, event.actor.kind], [id, "veteran"])
  })

  test("answers 404 for an upload, without an event in the account", async () => {
    const uploaded = (await upload(service, veteran, "text")).json.id
    const before = await kindsOf(service, veteran)
    const { bytes, status } = await record(uploaded)
    assert.deepStrictEqual([status, JSON.parse(bytes.toString()).error], [404, "not_found"])
    assert.deepStrictEqual(await kindsOf(service, veteran), before)
  })

  test("answers 404 once the veteran deleted the release, even if the release is kept", async () => {
    const link = await createLink(service, veteran, { documentId: id })
    assert.strictEqual((await view(service, (await giveSessions(service, superuser, [link]))[0]!)).status, 200)
    const own = `/api/veteran/me/documents/${id}`
    assert.strictEqual((await call(service, "DELETE", own, { headers: veteran.headers })).status, 204)
    assert.strictEqual((await record()).status, 404)
  })
})
