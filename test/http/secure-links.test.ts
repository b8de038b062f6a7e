import { afterAll, assert, beforeAll, beforeEach, describe, test } from "vitest"
import { call, type SignedIn, signInVeteran } from "../support/Client.ts"
import { createDatabase, type TestDatabase } from "../support/Database.ts"
import { type Service, startService } from "../support/Service.ts"
import { until } from "../support/Sync.ts"
import { createLink, listLinks, mailsOf, recipientEmail, revokeLink, step, verified, view } from "./Links.ts"
import { sign } from "./Releases.ts"

let database: TestDatabase
let service: Service
let veteran: SignedIn

beforeAll(async () => {
  database = await createDatabase()
  service = await startService(database, { PROVIDER_PORTAL_URL: "https://portal.example" })
})
beforeEach(async () => {
  veteran = await signInVeteran(service)
})
afterAll(async () => {
  await service.stop()
  await database.close()
})

const path = "/api/veteran/me/secure-links"
const create = (body: unknown) => call(service, "POST", path, { headers: veteran.headers, body })
const signed = async () => (await sign(service, veteran)).json.document

describe("POST /api/veteran/{veteranId}/secure-links", () => {
  test("answers the link, its address and a QR code of the same", async () => {
    const document = await signed()
    const answer = await create({ documentId: document.id, recipientName: "Jane Gray", recipientEmail })
    assert.strictEqual(answer.status, 201)
    const { link, qrSvg, url } = answer.json
    assert.match(url, /^https:\/\/portal\.example\/link#[\w-]{43}$/)
    assert.match(qrSvg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    assert.deepStrictEqual(link, {
      ...{ id: link.id, documentId: document.id, recipientName: "Jane Gray", recipientEmail, status: "active" },
      ...{ createdAt: link.createdAt, expiresAt: link.expiresAt, disabledAt: null },
      ...{ notifiedAt: null, openedAt: null, codeSentAt: null, viewedAt: null }
    })
    assert.strictEqual(Date.parse(link.expiresAt) - Date.parse(link.createdAt), 72 * 3_600_000)
    assert.deepStrictEqual(await listLinks(service, veteran), [link])
  })
})

test("the whole way: open, code by mail, verify, view", async () => {
  const link = await createLink(service, veteran)
  const opened = await step(service, "open", { token: link.token })
  assert.strictEqual(opened.status, 200)
  assert.strictEqual(opened.json.recipientHint, "j•••@clinic.example")
  const session = await verified(service, link)
  const answer = await view(service, session)
  assert.deepStrictEqual([answer.status, answer.bytes.toString("latin1", 0, 5)], [200, "%PDF-"])
  const again = await view(service, session)
  assert.deepStrictEqual([again.status, again.error], [410, "view_session_used"])
  const resumed = await view(service, session, 100)
  assert.deepStrictEqual([resumed.status, resumed.headers.get("content-range")], [
    206,
    `bytes 100-${answer.bytes.length - 1}/${answer.bytes.length}`
  ])
  assert.isTrue(resumed.bytes.equals(answer.bytes.subarray(100)))
  await until("the veteran was told", async () => (await mailsOf(service)).length >= 3)
  await revokeLink(service, veteran, link)
  assert.strictEqual((await view(service, session, 100)).error, "link_disabled")
})
