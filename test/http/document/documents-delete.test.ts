import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { createLink, listLinks, step } from "../link/Links.ts"
import { download, release, revokeRelease, sign, upload } from "../release/Releases.ts"
import { storedFiles } from "./Copies.ts"

const { service } = await openApp()

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/documents"

const get = (suffix = "") => call(service, "GET", `${path}${suffix}`, { headers: veteran.headers })

const remove = (id: string) => call(service, "DELETE", `${path}/${id}`, { headers: veteran.headers })

describe("DELETE /api/veteran/{veteranId}/documents/{id}", () => {
  test("removes the row and the file of an upload", async () => {
    const before = await storedFiles(service).catch(() => [])
    const { json } = await upload(service, veteran, "text")
    assert.strictEqual((await storedFiles(service)).length, before.length + 1)
    assert.strictEqual((await remove(json.id)).status, 204)
    assert.deepStrictEqual([(await get(`/${json.id}`)).status, (await remove(json.id)).status], [404, 404])
    assert.deepStrictEqual((await get()).json.items, [])
    assert.deepStrictEqual(await storedFiles(service), before)
  })

  test("refuses to delete a release in force, or a document named in one", async () => {
    const attached = (await upload(service, veteran, "text")).json
    const information = { ...release().information, documentIds: [attached.id] }
    const signed = (await sign(service, veteran, { information })).json.document
    for (const { id } of [attached, signed]) {
      const answer = await remove(id)
      assert.deepStrictEqual([answer.status, answer.json.error], [409, "conflict"])
    }
    assert.strictEqual((await download(service, veteran, `${path}/${signed.id}/content`)).bytes.length, signed.byteSize)
    assert.strictEqual((await revokeRelease(service, veteran, signed.id)).status, 200)
    const before = await storedFiles(service)
    assert.deepStrictEqual([(await remove(attached.id)).status, (await remove(signed.id)).status], [204, 204])
    // A release has two copies and a separate file for the record.
    assert.strictEqual((await storedFiles(service)).length, before.length - 4)
  })

  test("deletes an ended release, whose links stay in the list but give no access", async () => {
    const link = await createLink(service, veteran)
    await revokeRelease(service, veteran, link.documentId)
    assert.strictEqual((await remove(link.documentId)).status, 204)
    const [listed] = await listLinks(service, veteran)
    assert.deepStrictEqual([listed.id, listed.documentId, listed.status], [link.id, null, "disabled"])
    const opened = await step(service, "open", { token: link.token })
    assert.deepStrictEqual([opened.status, opened.json.error], [410, "link_disabled"])
  })

  test("never succeeds together with the signing of a release that names the document", async () => {
    for (let round = 0; round < 10; round++) {
      const attached = (await upload(service, veteran, "text")).json
      const information = { ...release().information, documentIds: [attached.id] }
      const [signed, removed] = await Promise.all([sign(service, veteran, { information }), remove(attached.id)])
      const outcome = `${signed.status} ${removed.status}`
      // The document is deleted before the signing, or during it, or is kept because the signed release names it.
      assert.include(["400 204", "409 204", "201 409"], outcome)
      assert.strictEqual((await get(`/${attached.id}`)).status, removed.status === 204 ? 404 : 200)
    }
  })
})

test("Documents are listed newest first, in pages", async () => {
  const ids: Array<string> = []
  for (const text of ["one", "two", "three"]) ids.unshift((await upload(service, veteran, text)).json.id)
  const first = (await get("?limit=2")).json
  const second = (await get(`?limit=2&cursor=${first.nextCursor}`)).json
  assert.deepStrictEqual([...first.items, ...second.items].map(({ id }) => id), ids)
  assert.isNull(second.nextCursor)
})
