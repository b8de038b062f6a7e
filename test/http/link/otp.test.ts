import { randomUUID } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { nobody } from "../../support/Formats.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { type Service, startService } from "../../support/Service.ts"
import { sign } from "../release/Releases.ts"
import {
  challenge,
  createLink,
  laterChallenge,
  type Link,
  listLinks,
  mailsOf,
  noMailWaits,
  step,
  verified,
  view,
  waitForNextCode,
  wrong
} from "./Links.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

let link: Link

let recipient: string

beforeEach(async () => {
  recipient = `${randomUUID()}@clinic.example`
  link = await newLink()
})

const newLink = () => createLink(service, veteran, { documentId, recipientEmail: recipient })

const ask = (of = link, at: Pick<Service, "url"> = service) => step(at, "otp", { token: of.token })

const verify = (attempt: { readonly challengeId: string; readonly code: string }, of = link) =>
  step(service, "otp/verify", { token: of.token, ...attempt })

const pass = (seconds: number) => waitForNextCode(superuser, link, seconds)

const mailsTo = async (address: string) =>
  (await mailsOf(service)).filter(({ headers }) => headers.get("to") === address)

const toldOfLock = async () => {
  await noMailWaits(superuser)
  return (await mailsTo("eagle@example.org")).filter(({ text }) => text.includes("too many wrong codes"))
}

const stored = async () => (await superuser.query("select * from secure_links where id = $1", [link.id])).rows[0]

const assertInvalid = ({ json, status }: Awaited<ReturnType<typeof step>>, attemptsLeft: number) => {
  const { message, requestId, ...rest } = json
  assert.deepStrictEqual([status, rest], [401, { error: "otp_invalid", attemptsLeft }])
  assert.deepStrictEqual([typeof message, typeof requestId], ["string", "string"])
}

describe("The mail with a code", () => {
  test("goes only to the recipient and shows eight digits in two groups, never in its subject", async () => {
    const { challengeId, code } = await challenge(service, link)
    assert.match(code, /^\d{8}$/)
    const [mail, ...more] = await mailsTo(recipient)
    assert.deepStrictEqual(more, [])
    const shown = `${code.slice(0, 4)} ${code.slice(4)}`
    for (const part of [mail!.text, mail!.html]) {
      assert.strictEqual(part.split(shown).length, 2)
      assert.notInclude(part, code)
      assert.notInclude(part, link.token)
      assert.notMatch(part, /Eagle|O.Hara|Sean|Condition|Medication|health/i)
    }
    assert.strictEqual(mail!.headers.get("subject"), "Your one-time code")
    for (const [name, value] of mail!.headers) {
      assert.notInclude(value.replaceAll(" ", ""), code, name)
      assert.notInclude(value, link.token, name)
    }
    for (const name of ["cc", "bcc"]) assert.isFalse(mail!.headers.has(name))
    assert.notInclude(service.output(), code)
    assert.notInclude(service.output(), recipient)
    assert.strictEqual((await verify({ challengeId, code })).status, 200)
  })

  test("causes a 503 if the mail server refuses it, and another code may be requested immediately", async () => {
    await noMailWaits(superuser)
    const mailbox = await openMailbox({ refuse: true })
    const mailless = await startService(database, { SMTP_URL: mailbox.url })
    for (let refused = 1; refused <= 2; refused++) {
      const answer = await ask(link, mailless)
      assert.deepStrictEqual([answer.status, answer.json.error], [503, "service_unavailable"])
      assert.strictEqual(mailbox.refused(), refused)
    }
    assert.strictEqual((await listLinks(service, veteran))[0].codeSentAt, null)
    const uninvited = await createLink(mailless, veteran, { documentId, notifyRecipient: true })
    assert.strictEqual(mailbox.refused(), 3)
    const [listed] = await listLinks(service, veteran)
    assert.deepStrictEqual([listed.id, listed.status, listed.notifiedAt], [uninvited.id, "active", null])
    assert.notInclude(mailless.output(), "clinic.example")
    await mailless.stop()
    await mailbox.close()
    assert.strictEqual((await verify(await challenge(service, link))).status, 200)
  })
})

describe("A code", () => {
  test.each([["as it was mailed", " "], ["without the space", ""]])("is accepted %s", async (_how, space) => {
    const { challengeId, code } = await challenge(service, link)
    const answer = await verify({ challengeId, code: `${code.slice(0, 4)}${space}${code.slice(4)}` })
    assert.strictEqual(answer.status, 200)
  })

  test("is valid for a single use", async () => {
    const attempt = await challenge(service, link)
    assert.strictEqual((await verify(attempt)).status, 200)
    assertInvalid(await verify(attempt), 0)
  })

  test("allows five attempts; after that even the right code is refused", async () => {
    const attempt = await challenge(service, link)
    for (const attemptsLeft of [4, 3, 2, 1, 0]) assertInvalid(await verify(wrong(attempt)), attemptsLeft)
    assertInvalid(await verify(attempt), 0)
    assert.strictEqual((await stored()).wrong_codes, 5)
  })

  test("is accepted at the fifth attempt", async () => {
    const attempt = await challenge(service, link)
    for (const code of ["00000000", "x", "١٢٣٤٥٦٧٨", attempt.code.slice(1)]) {
      assert.strictEqual((await verify({ ...attempt, code })).status, 401)
    }
    assert.strictEqual((await verify(attempt)).status, 200)
  })

  test("invalidates the code that was sent before it, for either challenge", async () => {
    const first = await challenge(service, link)
    const second = await laterChallenge(service, superuser, link)
    assert.notStrictEqual(second.challengeId, first.challengeId)
    assertInvalid(await verify(first), 0)
    assertInvalid(await verify({ challengeId: first.challengeId, code: second.code }), 0)
    assertInvalid(await verify({ challengeId: second.challengeId, code: first.code }), 4)
    assert.strictEqual((await verify(second)).status, 200)
  })

  test("is refused 10 minutes after it was made, by the database's clock", async () => {
    const early = await challenge(service, link)
    await pass(570)
    assertInvalid(await verify(wrong(early)), 4)
    await pass(31)
    assertInvalid(await verify(early), 0)
  })

  test("is accepted only for its own link and challenge", async () => {
    const own = await challenge(service, link)
    const other = await newLink()
    const others = await challenge(service, other)
    assertInvalid(await verify(others), 0)
    assertInvalid(await verify({ ...own, challengeId: nobody }), 0)
    assertInvalid(await verify({ ...own, code: others.code }), 4)
    assertInvalid(await verify({ ...others, code: own.code }, other), 4)
    assert.strictEqual((await verify(own)).status, 200)
    assert.strictEqual((await verify(others, other)).status, 200)
  })

  test("is stored as a hash that is valid only in its own row", async () => {
    const first = await challenge(service, link)
    const second = await laterChallenge(service, superuser, link)
    const other = await newLink()
    const others = await challenge(service, other)
    const copy =
      "update secure_link_otps set code_hash = (select code_hash from secure_link_otps where id = $1) where id = $2"
    for (const [of, { challengeId }] of [[link, second], [other, others]] as const) {
      await superuser.query(copy, [first.challengeId, challengeId])
      assertInvalid(await verify({ challengeId, code: first.code }, of), 4)
    }
  })
})

describe("Another code", () => {
  const assertLimited = ({ headers, json, status }: Awaited<ReturnType<typeof ask>>, most: number, least = 1) => {
    assert.deepStrictEqual(Object.keys(json).sort(), ["error", "message", "requestId", "retryAfterSeconds"])
    assert.deepStrictEqual([status, json.error], [429, "rate_limited"])
    assert.strictEqual(headers.get("retry-after"), `${json.retryAfterSeconds}`)
    assert.isAtLeast(json.retryAfterSeconds, least)
    assert.isAtMost(json.retryAfterSeconds, most)
  }

  test("is sent at least 30 seconds after the previous code, which stays valid until then", async () => {
    const first = await challenge(service, link)
    assertLimited(await ask(), 30)
    await pass(20)
    assertLimited(await ask(), 10)
    assert.strictEqual((await mailsTo(recipient)).length, 1)
    assertInvalid(await verify(wrong(first)), 4)
    await pass(11)
    assert.strictEqual((await ask()).status, 202)
    assert.strictEqual((await mailsTo(recipient)).length, 2)
  })

  test("is sent at most five times an hour for one link", async () => {
    for (let n = 0; n < 5; n++) await laterChallenge(service, superuser, link)
    await pass(31)
    assertLimited(await ask(), 3600 - 5 * 31, 31)
    assert.strictEqual((await mailsTo(recipient)).length, 5)
    assert.strictEqual((await ask(await newLink())).status, 202)
    await pass(3600 - 5 * 31 - 60)
    assertLimited(await ask(), 60)
    await pass(61)
    assert.strictEqual((await ask()).status, 202)
    assertLimited(await ask(), 30)
  })
})

describe("Wrong codes", () => {
  test("disable their link at the fifteenth, and the veteran gets one notice", async () => {
    const before = (await toldOfLock()).length
    const session = await verified(service, link)
    for (let n = 1; n <= 14; n++) {
      // This loop uses at most four of the five attempts at a code, so no code runs out before the link is disabled.
      const attempt = n % 4 === 1 ? await laterChallenge(service, superuser, link) : latest
      assertInvalid(await verify(wrong(attempt, n)), 4 - (n - 1) % 4)
      latest = attempt
    }
    assert.strictEqual((await listLinks(service, veteran))[0].status, "active")
    assertInvalid(await verify(wrong(latest)), 0)
    const [{ disabledAt, status }] = await listLinks(service, veteran)
    assert.strictEqual(status, "disabled")
    assert.match(disabledAt, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
    const refused = [
      await verify(latest),
      await verify(wrong(latest)),
      await ask(),
      await step(service, "open", { token: link.token }),
      await step(service, "view", { viewSession: session })
    ]
    assert.deepStrictEqual(
      refused.map(({ json, status }) => `${status} ${json.error}`),
      Array(5).fill("410 link_disabled")
    )
    const { wrong_codes } = await stored()
    assert.strictEqual(wrong_codes, 15)
    const [notice, ...more] = (await toldOfLock()).slice(before)
    assert.deepStrictEqual(more, [])
    assert.strictEqual(notice!.headers.get("subject"), "A link of yours was locked")
    assert.match(notice!.text, /Your secure link to .•••@clinic\.example was turned off/)
    assert.notMatch(notice!.text, /Jane|Eagle|O.Hara/i)
  })
  let latest: Awaited<ReturnType<typeof challenge>>

  test("count for the whole life of their link, even if right codes come between them", async () => {
    for (let n = 0; n < 3; n++) {
      const attempt = await laterChallenge(service, superuser, link)
      assertInvalid(await verify(wrong(attempt)), 4)
      assert.strictEqual((await verify(attempt)).status, 200)
    }
    assert.strictEqual((await stored()).wrong_codes, 3)
  })
})

test("The database holds no readable token, code or view session", async () => {
  const attempt = await challenge(service, link)
  await verify(wrong(attempt))
  const viewSession = (await verify(attempt)).json.viewSession
  const used = (await verify(await laterChallenge(service, superuser, link))).json.viewSession
  assert.strictEqual((await view(service, used)).status, 200)
  const { code } = await laterChallenge(service, superuser, link)
  const tables = ["secure_links", "secure_link_otps", "secure_link_view_sessions"]
  const rows: Array<Array<Record<string, unknown>>> = []
  for (const table of tables) rows.push((await superuser.query(`select t.*, t::text as whole from ${table} t`)).rows)
  for (const own of rows) assert.isAtLeast(own.length, 2)
  // PostgreSQL shows bytes as hexadecimal digits.
  const spellings = (secret: string) => [
    secret,
    Buffer.from(secret).toString("hex"),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret, "base64url").toString("hex")
  ]
  const dump = rows.flat().flatMap((row) => [
    String(row["whole"]),
    ...Object.values(row).flatMap((value) =>
      Buffer.isBuffer(value) ? [value.toString("latin1"), value.toString("hex"), value.toString("base64")] : []
    )
  ])
  const secrets = [link.token, viewSession, used].flatMap(spellings)
  const codes = [attempt.code, code].flatMap((code) => [code, `${code.slice(0, 4)} ${code.slice(4)}`])
  for (const secret of [...secrets, ...codes, recipient, Buffer.from(recipient).toString("hex")]) {
    for (const text of dump) assert.notInclude(text, secret)
  }
})
