import { randomUUID } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { type Answer, call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { sign } from "../release/Releases.ts"
import { createLink, laterChallenge, listLinks, mailsOf, step, waitForNextCode } from "./Links.ts"

const { database, service } = await openApp()

const second = await openService(database)

const superuser = await database.connect("superuser")

interface Sender extends SignedIn {
  readonly documentId: string
}

const signIn = async (): Promise<Sender> => {
  const veteran = await signInVeteran(service)
  return { ...veteran, documentId: (await sign(service, veteran)).json.document.id }
}

let veteran: Sender

let address: string

beforeEach(async () => {
  veteran = await signIn()
  address = `${randomUUID()}@clinic.example`
})

const create = (changes: Record<string, unknown> = {}, by = veteran, at: { readonly url: string } = service) =>
  call(at, "POST", "/api/veteran/me/secure-links", {
    headers: by.headers,
    body: { documentId: by.documentId, recipientName: "Jane Gray", recipientEmail: address, ...changes }
  })

const invite = (by = veteran, recipientEmail = address) => create({ recipientEmail, notifyRecipient: true }, by)

const mailsTo = async (to: string) =>
  (await mailsOf(service)).filter(({ headers }) => headers.get("to")!.toLowerCase() === to)

const pass = (seconds: number) =>
  superuser.query("update rate_limit_spendings set spent_at = spent_at - make_interval(secs => $1)", [seconds])

const assertLimited = ({ headers, json, status }: Answer, most: number) => {
  assert.deepStrictEqual(Object.keys(json).sort(), ["error", "message", "requestId", "retryAfterSeconds"])
  assert.deepStrictEqual([status, json.error], [429, "rate_limited"])
  assert.strictEqual(headers.get("retry-after"), `${json.retryAfterSeconds}`)
  assert.isAtLeast(json.retryAfterSeconds, 1)
  assert.isAtMost(json.retryAfterSeconds, most)
}

describe("Invitations by mail", () => {
  test("from a veteran to an address in any letter case are limited to ten a day; the rest make no link", async () => {
    for (let n = 0; n < 10; n++) {
      const answer = await invite(veteran, n % 2 === 0 ? address : address.toUpperCase())
      assert.strictEqual(answer.status, 201)
      assert.isNotNull(answer.json.link.notifiedAt)
    }
    assertLimited(await invite(), 86_400)
    assert.strictEqual((await listLinks(service, veteran)).length, 10)
    assert.strictEqual((await mailsTo(address)).length, 10)
    assert.strictEqual((await create()).status, 201, "without an invitation")
    assert.strictEqual((await invite(veteran, `${randomUUID()}@clinic.example`)).status, 201)
    assert.strictEqual((await invite(await signIn())).status, 201)
  })

  test("are sent again one day after the ten, and no sooner", async () => {
    for (let n = 0; n < 10; n++) await invite()
    await pass(86_400 - 60)
    assertLimited(await invite(), 60)
    await pass(61)
    assert.strictEqual((await invite()).status, 201)
  })

  test("are limited to 50 a day to one address from all veterans together", async () => {
    const others = await Promise.all(Array.from({ length: 6 }, signIn))
    const answers = await Promise.all(others.slice(0, 5).flatMap((by) => Array.from({ length: 10 }, () => invite(by))))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
    assertLimited(await invite(others[5]), 86_400)
    assert.deepStrictEqual(await listLinks(service, others[5]!), [])
    assert.strictEqual((await mailsTo(address)).length, 50)
  })
})

describe("Links", () => {
  test("are limited to 300 an hour for one veteran over two processes", async () => {
    const { rows: [{ now }] } = await superuser.query("select clock_timestamp() as now")
    assert.strictEqual((await create()).status, 201)
    await superuser.query("update rate_limit_spendings set permits = permits + 240 where spent_at >= $1", [now])
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) => create({}, veteran, n % 2 === 0 ? service : second))
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [...Array(59).fill(201), ...Array(21).fill(429)])
    assertLimited(await create(), 3600)
    const other = await signIn()
    assert.strictEqual((await create({}, other)).status, 201)
  })
})

describe("One-time codes", () => {
  const newLink = (recipientEmail = address) =>
    createLink(service, veteran, { documentId: veteran.documentId, recipientEmail })
  const ask = ({ token }: { readonly token: string }) => step(service, "otp", { token })

  test("are limited to 20 an hour for one address over all links, and no further challenge is stored", async () => {
    const links = []
    for (let n = 0; n < 20; n++) links.push(await newLink(n % 2 === 0 ? address : address.toUpperCase()))
    for (const link of links) assert.strictEqual((await ask(link)).status, 202)
    const fresh = await newLink()
    assertLimited(await ask(fresh), 3600)
    const stored = "select id from secure_link_otps where link_id = $1"
    assert.deepStrictEqual((await superuser.query(stored, [fresh.id])).rows, [])
    assert.strictEqual((await mailsTo(address)).length, 20)
    assert.strictEqual((await ask(await newLink(`${randomUUID()}@clinic.example`))).status, 202)
    await pass(3601)
    assert.strictEqual((await ask(fresh)).status, 202)
  })

  test("stay valid if the limit for the address refuses the link's next code", async () => {
    const link = await newLink()
    const { challengeId, code } = await laterChallenge(service, superuser, link)
    for (let n = 0; n < 19; n++) assert.strictEqual((await ask(await newLink())).status, 202)
    await waitForNextCode(superuser, link)
    assertLimited(await ask(link), 3600)
    assert.strictEqual((await step(service, "otp/verify", { token: link.token, challengeId, code })).status, 200)
  })

  test("that the limit for the link refuses do not count towards the limit for the address", async () => {
    const link = await newLink()
    assert.strictEqual((await ask(link)).status, 202)
    const refused = await Promise.all(Array.from({ length: 25 }, () => ask(link)))
    for (const answer of refused) assertLimited(answer, 30)
    for (let n = 0; n < 19; n++) assert.strictEqual((await ask(await newLink())).status, 202)
    assertLimited(await ask(await newLink()), 3600)
  })
})
