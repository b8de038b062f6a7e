import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { runs } from "../../support/Runs.ts"
import { createLink, type Link, listLinks, revokeLink, step, view } from "../link/Links.ts"
import { revokeRelease } from "../release/Releases.ts"
import { giveSessions, storedFiles } from "./Copies.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

let link: Link

beforeEach(async () => {
  veteran = await signInVeteran(service)
  link = await createLink(service, veteran)
})

const path = "/api/veteran/me/documents"

const get = (path: string) => call(service, "GET", path, { headers: veteran.headers })

const remove = () => call(service, "DELETE", `${path}/${link.documentId}`, { headers: veteran.headers })

const revoke = () => revokeRelease(service, veteran, link.documentId)

const session = async () => (await giveSessions(service, superuser, [link]))[0]!

/** Tells whether the release is marked as kept, and how many of its files and file rows exist. */
const kept = async () => {
  const { rows: [row] } = await superuser.query(
    `select k.document_id is not null as kept, array[d.storage_key, d.recipient_storage_key] as keys
     from documents d left join kept_releases k on k.document_id = d.id where d.id = $1`,
    [link.documentId]
  )
  if (row === undefined) return "gone"
  const files = await storedFiles(service)
  const { rowCount } = await superuser.query("select from stored_files where storage_key = any ($1)", [row.keys])
  return { kept: row.kept, files: row.keys.filter((key: string) => files.includes(key)).length, claims: rowCount }
}

const whole = { kept: true, files: 2, claims: 2 }

describe("Deleting a release", () => {
  test("hides it with 404 on every route, but keeps its row and files, if a recipient was shown it", async () => {
    assert.strictEqual((await view(service, await session())).status, 200)
    assert.strictEqual((await revoke()).status, 200)
    assert.strictEqual((await remove()).status, 204)
    assert.deepStrictEqual((await get(path)).json.items, [])
    const again = [
      await get(`${path}/${link.documentId}`),
      ...await Promise.all(["content", "record", "ccda"].map((file) => get(`${path}/${link.documentId}/${file}`))),
      await revoke(),
      await remove(),
      await call(service, "POST", "/api/veteran/me/secure-links", {
        headers: veteran.headers,
        body: { documentId: link.documentId, recipientName: "Jane Gray", recipientEmail: "jane@clinic.example" }
      })
    ]
    assert.deepStrictEqual(again.map(({ json, status }) => [status, json.error]), again.map(() => [404, "not_found"]))
    const [listed] = await listLinks(service, veteran)
    assert.deepStrictEqual([listed.id, listed.documentId, listed.status], [link.id, null, "disabled"])
    assert.deepStrictEqual(await kept(), whole)
  })

  test("also ends it if it is in force and was shown to a recipient, so its links stop working", async () => {
    const other = await createLink(service, veteran, { documentId: link.documentId })
    const [viewed, fresh] = [await session(), await session()]
    assert.strictEqual((await view(service, viewed)).status, 200)
    assert.strictEqual((await remove()).status, 204)
    for (const { token } of [link, other]) {
      const opened = await step(service, "open", { token })
      assert.deepStrictEqual([opened.status, opened.json.error], [410, "link_disabled"])
    }
    for (const one of [viewed, fresh]) assert.strictEqual((await view(service, one)).error, "link_disabled")
    assert.strictEqual((await get(`${path}/${link.documentId}`)).status, 404)
    assert.deepStrictEqual(await kept(), whole)
  })

  test("removes it for good if no recipient was shown it, but answers 409 while it is in force", async () => {
    const refused = await remove()
    assert.deepStrictEqual([refused.status, refused.json.error], [409, "conflict"])
    await revoke()
    assert.strictEqual((await remove()).status, 204)
    assert.strictEqual(await kept(), "gone")
  })

  test("in a race with the first view, keeps each release that was shown and shows none that was removed", async () => {
    for (let round = 0; round < runs(20); round++) {
      link = await createLink(service, veteran)
      const viewSession = await session()
      const first = new Promise((resume) => setTimeout(resume, 12 * Math.random()))
        .then(() => view(service, viewSession)).catch(() => undefined)
      assert.strictEqual((await (round % 2 === 0 ? revoke() : revokeLink(service, veteran, link))).status, 200)
      // Revoking a link leaves the release in force. A release in force can be deleted only if it was shown.
      const removed = await remove()
      const seen = await first
      const { rows: [row] } = await superuser.query("select viewed_at from secure_links where id = $1", [link.id])
      if (row.viewed_at === null) {
        assert.strictEqual(seen?.error, "link_disabled")
        assert.strictEqual(removed.status, round % 2 === 0 ? 204 : 409)
        if (round % 2 === 0) assert.strictEqual(await kept(), "gone")
      } else {
        assert.strictEqual(removed.status, 204)
        assert.deepStrictEqual(await kept(), whole)
      }
    }
  })
})
