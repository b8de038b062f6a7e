import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran, told } from "../../support/Client.ts"
import { assertEnough, letPermitsAge, spendPermits } from "../../support/Permits.ts"
import { revokeRelease, sign, signed } from "../release/Releases.ts"
import { listLinks, revokeLink } from "./Links.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const newAddress = () => `${randomUUID()}@clinic.example`

const signIn = async () => {
  const veteran = await signInVeteran(service)
  return { ...veteran, documentId: (await signed(service, veteran)).document.id as string }
}

type Sender = SignedIn & { readonly documentId: string }

const create = ({ documentId, headers }: Sender, recipientEmail: string, more: Record<string, unknown> = {}) =>
  call(service, "POST", "/api/veteran/me/secure-links", {
    headers,
    body: { documentId, recipientName: "Jane Gray", recipientEmail, ...more }
  })

describe("Recipients of links", () => {
  test("are 20 new ones a day, of requests in parallel too; an earlier one counts as the same in any letter case", async () => {
    const veteran = await signIn()
    const known = newAddress()
    assert.strictEqual((await create(veteran, known)).status, 201)
    for (const same of [known, known.toUpperCase(), known]) {
      assert.strictEqual((await create(veteran, same)).status, 201)
    }
    const wrong = await create({ ...veteran, documentId: randomUUID() }, newAddress())
    assert.deepStrictEqual(told(wrong), [404, "not_found"])
    const answers = await Promise.all(Array.from({ length: 24 }, () => create(veteran, newAddress())))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(201), ...Array(5).fill(429)])
    assertEnough(answers.find(({ status }) => status === 429)!, 24)
    const links = await listLinks(service, veteran)
    assert.lengthOf(links, 23)
    assert.strictEqual((await create(veteran, known.toUpperCase())).status, 201)
    for (const link of links) assert.strictEqual((await revokeLink(service, veteran, link)).status, 200)
    assertEnough(await create(veteran, newAddress(), { notifyRecipient: true }), 24)
    assert.strictEqual((await create(await signIn(), newAddress())).status, 201)
    await letPermitsAge(superuser, 24)
    assert.strictEqual((await create(veteran, newAddress(), { notifyRecipient: true })).status, 201)
  })

  test("are mailed 100 invitations a day by one veteran; a refused one makes no link", async () => {
    const veteran = await signIn()
    const address = newAddress()
    assert.strictEqual((await create(veteran, address, { notifyRecipient: true })).status, 201)
    const { rows: [{ key }] } = await superuser.query(
      "select key from rate_limit_spendings order by spent_at desc offset 2 limit 1"
    )
    await superuser.query("update rate_limit_spendings set permits = 100 where key = $1", [key])
    assertEnough(await create(veteran, address, { notifyRecipient: true }), 24)
    assert.lengthOf(await listLinks(service, veteran), 1)
    assert.strictEqual((await create(veteran, address)).status, 201)
  })
})

describe("Links and releases", () => {
  test("are 300 and 100 a day; what was made before is ended at the bound", async () => {
    const veteran = await signIn()
    await spendPermits(superuser, 99)
    assertEnough(await sign(service, veteran), 24)
    const address = newAddress()
    assert.strictEqual((await create(veteran, address)).status, 201)
    const { json: { link } } = await create(veteran, address)
    await spendPermits(superuser, 298)
    assertEnough(await create(veteran, address), 24)
    assert.strictEqual((await revokeLink(service, veteran, link)).status, 200)
    assertEnough(await create(veteran, address), 24)
    assert.strictEqual((await revokeRelease(service, veteran, veteran.documentId)).status, 200)
    assertEnough(await sign(service, veteran), 24)
  })
})
