import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, randomAddress } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { mailsOf } from "../link/Links.ts"

const { database, service } = await openApp()

const signUp = (email: unknown) => call(service, "POST", "/api/waitlist", { body: { email } })

/** Waits until the administrator got a mail about the address. Returns all mails about it. */
const mailsAbout = (email: string) =>
  until("the mail came", async () => {
    const mails = (await mailsOf(service)).filter(({ text }) => text.toLowerCase().includes(email))
    return mails.length > 0 && mails
  })

describe("POST /api/waitlist", () => {
  test("answers 202 with the same body for a new and for a known e-mail, in any letter case", async () => {
    const email = `new-${randomUUID()}@example.org`
    for (const spelling of [email, email, email.toUpperCase()]) {
      const answer = await signUp(spelling)
      assert.strictEqual(answer.status, 202)
      assert.strictEqual(answer.text, `{"status":"accepted"}`)
    }
    const owner = await database.connect("owner")
    const stored = await owner.query("select email from waitlist_signups where lower(email) = $1", [email])
    assert.deepStrictEqual(stored.rows, [{ email }])
    const { json: { items: [one] } } = await call(service, "GET", "/api/admin/waitlist?limit=1", { headers: asAdmin })
    assert.deepStrictEqual(Object.keys(one).sort(), ["createdAt", "email", "id"])
  })

  // Which texts are addresses is tested in test/domain/Scalars.test.ts.
  test.each(["no-address", "a@example.org\r\nBcc: victim@example.org", "<b>x</b>@example.org", 42, null])(
    "refuses the e-mail %j",
    async (email) => {
      const { json, status } = await signUp(email)
      assert.deepStrictEqual([status, json.error, json.issues[0].path], [400, "invalid_request", ["email"]])
    }
  )
})

describe("The administrator's mail", () => {
  test("reports a new signup once, and never a known e-mail", async () => {
    const email = `told-${randomUUID()}@example.org`
    const last = `last-${randomUUID()}@example.org`
    for (const next of [email, email, email.toUpperCase(), last]) await signUp(next)
    // The outbox is read in order, so the earlier mails have been sent.
    await mailsAbout(last)
    const [mail, ...more] = await mailsAbout(email)
    assert.lengthOf(more, 0)
    assert.strictEqual(mail!.headers.get("to"), "admin@localhost")
    assert.strictEqual(mail!.headers.get("subject"), "New waitlist signup")
    assert.include(mail!.text, `${email} joined the waitlist.`)
    assert.include(mail!.html, `<b>${email}</b> joined the waitlist.`)
  })

  test("escapes the e-mail in its HTML part and keeps it unchanged in its text part", async () => {
    const email = "o'brien&lt#b&gt#`x`=1@example.org"
    assert.strictEqual((await signUp(email)).status, 202)
    const [mail] = await mailsAbout(email)
    assert.include(mail!.html, "<b>o&#39;brien&amp;lt#b&amp;gt#`x`=1@example.org</b>")
    assert.notInclude(mail!.html, email)
  })

  test("is sent even if the client hangs up before the answer", async () => {
    const email = `gone-${randomUUID()}@example.org`
    const owner = await database.connect("owner")
    await owner.query("begin; lock table waitlist_signups in exclusive mode")
    const body = JSON.stringify({ email })
    const socket = connect(Number(new URL(service.url).port), "localhost")
    socket.write(
      `POST /api/waitlist HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${randomAddress()}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    )
    const waiting =
      "select count(*)::int as n from pg_locks where relation = 'waitlist_signups'::regclass and not granted"
    await until("the signup waits", async () => (await owner.query(waiting)).rows[0].n === 1)
    socket.destroy()
    // By the time of this answer, the service has seen the connection close.
    await call(service, "GET", "/health")
    await owner.query("commit")
    assert.lengthOf(await mailsAbout(email), 1)
  })
})
