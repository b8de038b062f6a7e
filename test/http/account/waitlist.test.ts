import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { afterAll, assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, randomAddress } from "../../support/Client.ts"
import { openMailbox, openSilentServer } from "../../support/Mailbox.ts"
import type { Service } from "../../support/Service.ts"
import { logged, until } from "../../support/Until.ts"
import { mailsOf } from "../link/Links.ts"

/** The last tests close it, and open other servers at its port. */
const mailbox = await openMailbox()

afterAll(mailbox.close)

const { database, service } = await openApp({
  SMTP_URL: mailbox.url,
  ADMIN_EMAIL: "chief@clinic.example",
  MAIL_FROM: "no-reply@clinic.example"
})

const signUp = (email: unknown, to: Pick<Service, "url"> = service) =>
  call(to, "POST", "/api/waitlist", { body: { email } })

const outboxIsEmpty = async () => {
  const owner = await database.connect("owner")
  const { rowCount } = await owner.query("select from outbox")
  await owner.end()
  return rowCount === 0
}

const mailsAbout = (email: string) => mailbox.mails.filter(({ text }) => text.includes(email))

describe("POST /api/waitlist", () => {
  test("answers 202 with the same body for a new and for a known e-mail, in any letter case", async () => {
    const email = `new-${randomUUID()}@example.org`
    for (const spelling of [email, email, email.toUpperCase()]) {
      const answer = await signUp(spelling)
      assert.strictEqual(answer.status, 202)
      assert.strictEqual(answer.text, `{"status":"accepted"}`)
    }
    const listed = await call(service, "GET", "/api/admin/waitlist?limit=200", { headers: asAdmin })
    const found = listed.json.items.filter((item: any) => item.email.toLowerCase() === email)
    assert.strictEqual(found.length, 1)
    assert.deepStrictEqual(Object.keys(found[0]).sort(), ["createdAt", "email", "id"])
  })

  test.each([
    "no-address",
    "two@@example.org",
    "",
    " a@example.org",
    "a@example.org\n",
    "a@example.org\r\nBcc: victim@example.org",
    "a@example.org,victim@example.org",
    `"<b>x</b>"@example.org`,
    "<b>x</b>@example.org",
    "a@-example.org",
    "a\0@example.org",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}`,
    42,
    null
  ])("refuses the e-mail %j", async (email) => {
    const answer = await signUp(email)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(answer.json.error, "invalid_request")
    assert.deepStrictEqual(answer.json.issues.map(({ path }: any) => path), [["email"]])
  })

  test("refuses unknown members and a body that is not JSON", async () => {
    const extra = await call(service, "POST", "/api/waitlist", { body: { email: "a@example.org", name: "A" } })
    assert.deepStrictEqual([extra.status, extra.json.error], [400, "invalid_request"])
    const broken = await call(service, "POST", "/api/waitlist", { body: "{" })
    assert.deepStrictEqual([broken.status, broken.json.error], [400, "invalid_json"])
  })
})

describe("The administrator's mail", () => {
  test("reports a new signup once, and never a known e-mail", async () => {
    const email = `told-${randomUUID()}@example.org`
    const last = `last-${randomUUID()}@example.org`
    for (const next of [email, email, email.toUpperCase(), last]) await signUp(next)
    await until("every mail was sent", outboxIsEmpty)
    assert.lengthOf(mailsAbout(last), 1)
    assert.strictEqual(mailbox.mails.filter(({ raw }) => raw.toLowerCase().includes(email.slice(0, 30))).length, 1)
    const [mail] = mailsAbout(email)
    assert.deepStrictEqual(mail!.recipients, ["chief@clinic.example"])
    assert.strictEqual(mail!.headers.get("to"), "chief@clinic.example")
    assert.strictEqual(mail!.headers.get("from"), "Veteran Records <no-reply@clinic.example>")
    assert.strictEqual(mail!.headers.get("subject"), "New waitlist signup")
    assert.include(mail!.text, `${email} joined the waitlist.`)
  })

  test("escapes the e-mail in its HTML part and keeps it unchanged in its text part", async () => {
    const email = "o'brien&lt;b&gt;`x`=1@example.org".replaceAll(";", "#")
    const answer = await signUp(email)
    assert.strictEqual(answer.status, 202)
    await until("the mail came", async () => mailsAbout(email).length > 0)
    const [mail] = mailsAbout(email)
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
    await until("the mail came", async () => mailsAbout(email).length === 1)
  })
})

describe("Without a working mail server", () => {
  /** What the service logs from now on. */
  const logFromNow = () => {
    const { length } = service.output()
    return { output: () => service.output().slice(length) }
  }

  test("a signup is accepted while the mail server refuses the mail, cannot be reached or is silent", async () => {
    await until("every mail was sent", outboxIsEmpty)
    await mailbox.close()
    const refusing = await openMailbox({ refuse: true, port: mailbox.port })
    const whileRefused = logFromNow()
    assert.strictEqual((await signUp(`refused-${randomUUID()}@example.org`)).status, 202)
    await until("the mail was refused", async () => refusing.refused() === 1)
    await logged(whileRefused, "mail not sent")
    assert.notInclude(whileRefused.output(), "@example.org")
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
    await refusing.close()

    const whileDown = logFromNow()
    assert.strictEqual((await signUp(`down-${randomUUID()}@example.org`)).status, 202)
    await logged(whileDown, "mail not sent")

    const silent = await openSilentServer(mailbox.port)
    const whileSilent = logFromNow()
    assert.strictEqual((await signUp(`slow-${randomUUID()}@example.org`)).status, 202)
    await until("the mail is being sent", async () => silent.connections() > 0)
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
    // The mail has not failed yet, so the answer did not wait for it.
    assert.strictEqual(silent.ended(), 0)
    assert.notInclude(whileSilent.output(), "mail not sent")
    await silent.close()
  })

  test("a mail is written to a file when no mail server is configured", async () => {
    const { service: other } = await openApp()
    const email = `file-${randomUUID()}@example.org`
    await signUp(email, other)
    const about = async () => (await mailsOf(other)).filter(({ text }) => text.includes(email))
    await until("the mail is written", async () => (await about()).length > 0)
    const [mail, ...more] = await about()
    assert.lengthOf(more, 0)
    assert.strictEqual(mail!.headers.get("to"), "admin@localhost")
    assert.include(mail!.text, `${email} joined the waitlist.`)
    assert.include(mail!.html, `<b>${email}</b> joined the waitlist.`)
  })
})
