import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type pg from "pg"
import { afterEach, assert, beforeEach, describe, onTestFinished, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { used } from "../../support/App.ts"
import { connectApp, refreshAsApp, registerApp } from "../../support/Apps.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { createDatabase, type TestDatabase } from "../../support/Database.ts"
import { type Mailbox, openMailbox, openSilentServer } from "../../support/Mailbox.ts"
import { type Service, startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { createLink, type Link, step, view, wrong } from "../link/Links.ts"

let database: TestDatabase

let superuser: pg.Client

beforeEach(async () => {
  database = await createDatabase()
  superuser = await database.connect("superuser")
})
afterEach(() => database.close())

const serve = async (smtpUrl: string, environment: Record<string, string> = {}): Promise<Service> => {
  const { close: _, ...service } = await used(
    startService(database, { SMTP_URL: smtpUrl, ADMIN_EMAIL: "chief@clinic.example", ...environment })
      .then((started) => ({ ...started, close: () => started.stop("SIGKILL") }))
  )
  return service
}

const signUp = async (service: Service) => {
  const email = `${randomUUID()}@example.org`
  const answer = await call(service, "POST", "/api/waitlist", { body: { email } })
  assert.strictEqual(answer.status, 202)
  return email
}

const waiting = async () => (await superuser.query("select * from outbox order by created_at")).rows

/** Makes every mail due at once, with this number of attempts. Returns the database's time before that. */
const hurry = async (attempts = "attempts"): Promise<Date> =>
  (await superuser.query(`with u as (update outbox set due_at = now(), attempts = ${attempts}) select now()`)).rows[0]
    .now

const allSent = () => until("the outbox is empty", async () => (await waiting()).length === 0)

/** Waits until a mail pauses as it should after this many attempts, the last of them after `since`. */
const paused = (attempts: number, since = new Date(0)) =>
  until(`the pause after ${attempts} attempts`, async () => {
    const pause = `least(interval '15 seconds' * 2 ^ ${attempts - 1}, interval '1 hour')`
    const query = `select from outbox where attempts = $1 and due_at - ${pause} between $2 and clock_timestamp()`
    return (await superuser.query(query, [attempts, since])).rowCount === 1
  })

const about = ({ mails }: Mailbox, words: string) => mails.filter(({ text }) => text.includes(words))

const warnings = (service: Service, words: string) =>
  service.output().split("\n").filter((line) => line.includes(words) && line.includes("\"level\":\"warn\"")).length

describe("The veteran", () => {
  /** Requests a code as if the last request had been long ago. */
  const codeFor = async (service: Service, mailbox: Mailbox, { token }: Link) => {
    await superuser.query("update secure_link_otps set created_at = created_at - interval '1 minute'")
    const { json, status } = await step(service, "otp", { token })
    assert.strictEqual(status, 202)
    const code = /\b(\d{4}) (\d{4})\b/.exec(about(mailbox, "Your code is").at(-1)!.text)!.slice(1).join("")
    return { token, challengeId: json.challengeId as string, code }
  }

  test("gets one mail each about the first opening, the first view and the lock, without any names", async () => {
    const mailbox = await used(openMailbox())
    const service = await serve(mailbox.url)
    const veteran = await signInVeteran(service)
    const link = await createLink(service, veteran)
    for (const _ of "twice") assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
    for (const _ of ["first", "again"]) {
      const { json } = await step(service, "otp/verify", await codeFor(service, mailbox, link))
      assert.strictEqual((await view(service, json.viewSession)).status, 200)
    }
    for (const _ of "123") {
      const attempt = wrong(await codeFor(service, mailbox, link))
      for (const _ of "12345") assert.strictEqual((await step(service, "otp/verify", attempt)).status, 401)
    }
    assert.strictEqual((await step(service, "open", { token: link.token })).json.error, "link_disabled")
    await allSent()
    const notices = mailbox.mails.filter(({ recipients }) => recipients.includes("eagle@example.org"))
    assert.deepStrictEqual(notices.map(({ headers }) => headers.get("subject")).sort(), [
      "A link of yours was locked",
      "A link of yours was opened",
      "Your document was viewed"
    ])
    for (const { raw, recipients, text } of notices) {
      assert.deepStrictEqual(recipients, ["eagle@example.org"])
      assert.match(text, /\(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)/)
      for (const secret of [link.token, link.id, "Jane", "Gray", "O'Hara", "Eagle", veteran.id]) {
        assert.notInclude(raw, secret)
      }
    }
  })

  test("gets a mail when an app is connected, and when a replay disconnects it, with the app's name only", async () => {
    const mailbox = await used(openMailbox())
    const service = await serve(mailbox.url)
    const veteran = await signInVeteran(service)
    const app = await registerApp(superuser, { name: "<b>Sky</b> & \"Sons\"" })
    const connected = await connectApp(superuser, veteran, app)
    await refreshAsApp(superuser, app, connected)
    await refreshAsApp(superuser, app, connected)
    await superuser.query("select app.revoke_app_grant($1, null, $2)", [
      (await connectApp(superuser, veteran, app)).grantId,
      app.id
    ])
    await allSent()
    assert.deepStrictEqual(mailbox.mails.map(({ headers }) => headers.get("subject")).sort(), [
      "An app was connected to your record",
      "An app was connected to your record",
      "An app was disconnected from your record"
    ])
    for (const { html, raw, recipients, text } of mailbox.mails) {
      assert.deepStrictEqual(recipients, ["eagle@example.org"])
      assert.match(
        text,
        /"<b>Sky<\/b> & "Sons"" .*\(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\n\n.* on the Consent tab of the app/
      )
      assert.include(html, "&lt;b&gt;Sky&lt;/b&gt; &amp; &quot;Sons&quot;")
      for (const secret of ["Eagle", veteran.id, app.id, connected.grantId]) assert.notInclude(raw, secret)
    }
  })

  test("gets mail within the transaction of the cause: if the mail fails, the act has not happened", async () => {
    const mailbox = await used(openMailbox())
    const service = await serve(mailbox.url)
    const link = await createLink(service, await signInVeteran(service))
    const verified = await step(service, "otp/verify", await codeFor(service, mailbox, link))
    const { viewSession } = verified.json
    const wrong = { ...await codeFor(service, mailbox, link), code: "x" }
    await superuser.query("update secure_links set wrong_codes = 14")
    const state = async () =>
      (await superuser.query(
        `select l.status, l.opened_at, l.viewed_at, l.wrong_codes, v.consumed_at,
           (select count(*)::int from waitlist_signups) as signups
         from secure_links l join secure_link_view_sessions v on v.link_id = l.id`
      )).rows
    const before = await state()
    const causes = [
      () => step(service, "open", { token: link.token }),
      () => step(service, "view", { viewSession }),
      () => step(service, "otp/verify", wrong),
      () => call(service, "POST", "/api/waitlist", { body: { email: "a@example.org" } })
    ]
    await superuser.query("alter table outbox add constraint broken check (false) not valid")
    for (const cause of causes) assert.strictEqual((await cause()).status, 500)
    assert.deepStrictEqual(await state(), before)
    await superuser.query("alter table outbox drop constraint broken")
    const statuses: Array<number> = []
    for (const cause of causes) statuses.push((await cause()).status)
    assert.deepStrictEqual(statuses, [200, 200, 401, 202])
    assert.notDeepEqual(await state(), before)
    await allSent()
    assert.lengthOf(mailbox.mails.filter(({ recipients }) => recipients[0] === "eagle@example.org"), 3)
    assert.lengthOf(about(mailbox, "joined the waitlist"), 1)
  })
})

describe("A mail", () => {
  test("is sent again after growing pauses while the server answers 550, and arrives once it is accepted", async () => {
    const refusing = await used(openMailbox({ refuse: true }))
    const service = await serve(refusing.url)
    let since = await hurry()
    const email = await signUp(service)
    const attempts = [1, 2, 3, 4, 31, 32]
    for (const [index, attempt] of attempts.entries()) {
      await paused(attempt, since)
      await until("it was refused", async () => refusing.refused() === index + 1)
      since = await hurry(`${attempts[index + 1] ?? 33} - 1`)
    }
    await until("a warning for each", async () => warnings(service, "waitlist_joined: mail not sent") >= 6)
    assert.notInclude(service.output(), "@")
    await service.stop("SIGKILL")
    await refusing.close()
    const mailbox = await used(openMailbox({ port: refusing.port }))
    await serve(mailbox.url)
    await hurry()
    await allSent()
    assert.lengthOf(about(mailbox, email), 1)
  })

  test("arrives once after the server has answered 451 for a while", async () => {
    const mailbox = await used(openMailbox({ greylist: 3 }))
    const service = await serve(mailbox.url)
    const email = await signUp(service)
    for (const attempts of [1, 2, 3]) {
      await paused(attempts)
      await until("it was refused", async () => mailbox.refused() === attempts)
      assert.lengthOf(mailbox.mails, 0)
      await hurry()
    }
    await allSent()
    assert.strictEqual(mailbox.refused(), 3)
    assert.lengthOf(about(mailbox, email), 1)
    assert.lengthOf(mailbox.mails, 1)
  })

  test("arrives once the server is up again", async () => {
    const port = await freePort()
    const service = await serve(`smtp://127.0.0.1:${port}`)
    const email = await signUp(service)
    await until("a warning", async () => warnings(service, "mail not sent") === 1)
    const mailbox = await used(openMailbox({ port }))
    await hurry()
    await allSent()
    assert.lengthOf(about(mailbox, email), 1)
  })

  test("is given up after a day with one error in the log", async () => {
    const refusing = await used(openMailbox({ refuse: true }))
    const service = await serve(refusing.url)
    await signUp(service)
    await paused(1)
    await superuser.query("update outbox set created_at = created_at - interval '25 hours'")
    await signUp(service)
    const [, younger] = await waiting()
    await hurry()
    await until("one is left", async () => (await waiting()).length === 1)
    assert.strictEqual((await waiting())[0].id, younger.id)
    const errors = () => service.output().split("\n").filter((line) => /"level":"error"/.test(line))
    await until("an error", async () => errors().length > 0)
    assert.match(errors().join("\n"), /^[^\n]*waitlist_joined: mail not sent: [^\n]*given up after a day[^\n]*$/)
  })
})

test("A request does not wait for the mail that it causes", async () => {
  const silent = await used(openSilentServer())
  const service = await serve(silent.url)
  const link = await createLink(service, await signInVeteran(service))
  assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
  await until("the mail is being sent", async () => (await waiting())[0]?.attempts === 1)
  await signUp(service)
  assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
  // The mail has not failed yet, so the answer did not wait for it.
  assert.notInclude(service.output(), "link_opened:")
  assert.deepStrictEqual((await waiting()).map(({ kind }) => kind), ["link_opened", "waitlist_joined"])
})

test("Two processes send each mail once", async () => {
  const mailbox = await used(openMailbox())
  await Promise.all(["one", "two"].map((name) => serve(mailbox.url, { MAIL_FROM: `${name}@clinic.example` })))
  await superuser.query(
    `with s as (insert into waitlist_signups (id, email) select gen_random_uuid(), i || '@many.example'
       from generate_series(100, 159) i returning id)
     insert into outbox (kind, subject_id) select 'waitlist_joined', id from s`
  )
  await allSent()
  const told = mailbox.mails.map(({ text }) => /^\d+@many\.example/.exec(text)?.[0])
  assert.deepStrictEqual(told.sort(), Array.from({ length: 60 }, (_, index) => `${index + 100}@many.example`))
  const senders = new Set(mailbox.mails.map(({ headers }) => headers.get("from")))
  assert.sameMembers([...senders], ["one@clinic.example", "two@clinic.example"])
})

test("A mail whose process is killed during the sending is later sent by another process", async () => {
  const silent = await used(openSilentServer())
  const killed = await serve(silent.url)
  const email = await signUp(killed)
  const { due_at } = await until(
    "it is being sent",
    async () => (await waiting()).find(({ attempts }) => attempts === 1)
  )
  await killed.stop("SIGKILL")
  const mailbox = await used(openMailbox())
  await serve(mailbox.url)
  assert.isAbove(due_at.getTime(), (await hurry()).getTime())
  await allSent()
  assert.lengthOf(about(mailbox, email), 1)
})

test("A mail that is being sent when the service is told to stop is sent once", async () => {
  const mailbox = await used(openMailbox())
  const stopping = await serve(mailbox.url)
  const { held, release } = mailbox.hold()
  const email = await signUp(stopping)
  await until("the server has it", async () => held() === 1)
  const stopped = stopping.stop("SIGTERM")
  // By now the signal has arrived, whether or not the service still answers while it waits for the mail server.
  for (let calls = 0; calls < 100; calls++) await call(stopping, "GET", "/health").catch(() => undefined)
  release()
  await stopped
  await serve(mailbox.url)
  await hurry()
  await allSent()
  assert.lengthOf(about(mailbox, email), 1)
})

test("A mail about something that no longer exists is dropped without a line in the log", async () => {
  const mailbox = await used(openMailbox())
  const service = await serve(mailbox.url)
  await superuser.query(
    `insert into outbox (kind, subject_id)
     select kind, gen_random_uuid() from unnest('{link_opened,link_viewed,link_locked,waitlist_joined,app_connected,app_replayed}'::text[]) kind`
  )
  await allSent()
  const email = await signUp(service)
  await allSent()
  assert.deepStrictEqual(mailbox.mails.map(({ text }) => text.includes(email)), [true])
  await service.stop()
  assert.notMatch(service.output(), /outbox|joined|link_|"level":"(warn|error)"/)
})

test.each(["smtps", "starttls"] as const)(
  "A self-signed certificate is accepted over %s only if it is trusted",
  async (secure) => {
    const mailbox = await used(openMailbox({ secure }))
    const wary = await serve(mailbox.url)
    const email = await signUp(wary)
    await until("a warning", async () => warnings(wary, "mail not sent") === 1)
    assert.lengthOf(mailbox.mails, 0)
    const file = join(tmpdir(), `${randomUUID()}.pem`)
    await writeFile(file, mailbox.authority)
    onTestFinished(() => rm(file))
    await wary.stop("SIGKILL")
    await serve(mailbox.url, { NODE_EXTRA_CA_CERTS: file })
    await hurry()
    await allSent()
    assert.lengthOf(about(mailbox, email), 1)
  }
)
