import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { giveSessions } from "../document/Copies.ts"
import { createLink, expire, type Link, listLinks, revokeLink, verified, view } from "./Links.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

let link: Link

beforeEach(async () => {
  veteran = await signInVeteran(service)
  link = await createLink(service, veteran)
})

const given = async () => (await giveSessions(service, superuser, [link]))[0]!

const status = (viewSession: string, headers: Record<string, string> = {}) =>
  call(service, "POST", "/api/secure-links/status", { body: { viewSession }, headers })

const refusal = async (viewSession: string) => {
  const { json, status: code } = await status(viewSession)
  return [code, json.error]
}

describe("POST /api/secure-links/status", () => {
  test("tells whether a document that was viewed may still be shown; no cache keeps the answer", async () => {
    const session = await verified(service, link)
    await view(service, session)
    const account = async () => [
      await listLinks(service, veteran),
      (await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })).json
    ]
    const before = await account()
    const { headers, json, status: code } = await status(session)
    assert.deepStrictEqual([code, json, headers.get("cache-control")], [200, { status: "active" }, "no-store"])
    assert.deepStrictEqual(await account(), before)
  })

  test("does not spend the view: the document can still be viewed once", async () => {
    const session = await given()
    assert.strictEqual((await status(session)).status, 200)
    assert.deepStrictEqual([(await view(service, session)).status, (await view(service, session)).status], [200, 410])
  })

  test("answers 410 once the link or its release is revoked, or the link has expired", async () => {
    const revoked = await given()
    await revokeLink(service, veteran, link)
    assert.deepStrictEqual(await refusal(revoked), [410, "link_disabled"])

    link = await createLink(service, veteran)
    const withdrawn = await given()
    await call(service, "POST", `/api/veteran/me/roi/${link.documentId}/revoke`, { headers: veteran.headers })
    assert.deepStrictEqual(await refusal(withdrawn), [410, "link_disabled"])

    link = await createLink(service, veteran)
    const late = await given()
    await expire(superuser, "secure_links.expires_at", link.id)
    assert.deepStrictEqual(await refusal(late), [410, "link_expired"])
  })

  test("answers 410 for a session that was never issued", async () => {
    for (const session of ["garbage", link.token]) {
      assert.deepStrictEqual(await refusal(session), [410, "view_session_expired"])
    }
  })

  test("answers more requests from one address than the other steps allow", async () => {
    const session = await given()
    const home = { "x-forwarded-for": "10.9.8.7" }
    const answers = await Promise.all(Array.from({ length: 60 }, () => status(session, home)))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
  })
})
