import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, onTestFinished, test } from "vitest"
import { used } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { openMailbox, openSilentServer } from "../../support/Mailbox.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { createLink } from "../link/Links.ts"
import { registerVeteran } from "../oauth/Asking.ts"
import { about, openOutbox, warnings } from "./Outbox.ts"

const { allSent, hurry, paused, serve, signUp, superuser, waiting } = await openOutbox()

describe("A mail", () => {
  test("is sent again after growing pauses while the server answers 550 or is gone, and arrives once it accepts", async () => {
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
    await refusing.close()
    await until("the server is gone", async () => {
      await hurry()
      return warnings(service, "refuses connections") > 0
    })
    const mailbox = await used(openMailbox({ port: refusing.port }))
    await until("it is sent", async () => {
      await hurry()
      return (await waiting()).length === 0
    })
    assert.lengthOf(about(mailbox, email), 1)
  })

  test("is given up after a day, and the log has one error about it", async () => {
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

  test("about a link whose recipient cannot be opened is put off, and given up after a day, like any other", async () => {
    const mailbox = await used(openMailbox())
    const service = await serve(mailbox.url)
    const veteran = await signInVeteran(service)
    const link = await createLink(service, veteran)
    await superuser.query("update secure_links set recipient_email_ciphertext = '\\x00' where id = $1", [link.id])
    await superuser.query("insert into outbox (kind, subject_id, veteran_id) values ('link_locked', $1, $2)", [
      link.id,
      veteran.id
    ])
    await paused(1)
    await superuser.query("update outbox set created_at = created_at - interval '25 hours', due_at = now()")
    await allSent()
    assert.lengthOf(mailbox.mails, 0)
    await until("an error", async () => /link_locked: [^\n]*given up after a day/.test(service.output()))
  })
})

test("Two processes together send each mail only once", async () => {
  const mailbox = await used(openMailbox())
  await Promise.all(["one", "two"].map((name) => serve(mailbox.url, { MAIL_FROM: `${name}@clinic.example` })))
  // Each process sends one mail at a time. Without the pause, one could send all before the other looks.
  const { held, release } = mailbox.hold()
  await superuser.query(
    `with s as (insert into waitlist_signups (id, email) select gen_random_uuid(), i || '@many.example'
       from generate_series(100, 159) i returning id)
     insert into outbox (kind, subject_id) select 'waitlist_joined', id from s`
  )
  await until("both are sending", async () => held() === 2)
  release()
  await allSent()
  const told = mailbox.mails.map(({ text }) => /^\d+@many\.example/.exec(text)?.[0])
  assert.deepStrictEqual(told.sort(), Array.from({ length: 60 }, (_, index) => `${index + 100}@many.example`))
  const senders = new Set(mailbox.mails.map(({ headers }) => headers.get("from")))
  assert.sameMembers([...senders], [
    "Veteran Records <one@clinic.example>",
    "Veteran Records <two@clinic.example>"
  ])
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

describe("The mail that tells what was too much for an hour", () => {
  const latest = ["A passkey for your", "A further account of the VA", "A copy of all your data"]

  /** A veteran who had all mails of the hour, and for whom three more wait, and some older ones. */
  const waitingForThree = async (service: Service, older = 0) => {
    const { email, id } = await registerVeteran(service)
    await superuser.query(
      `insert into outbox (kind, subject_id, veteran_id)
       select 'new_device', $1, $1 from generate_series(1, 20)`,
      [id]
    )
    await allSent()
    await superuser.query(
      `insert into outbox (kind, subject_id, veteran_id, created_at)
       select kind, $1, $1, now() - age from (
         select unnest('{passkey_added,identity_added,export_made}'::text[]) as kind, interval '0' as age
         union all select 'new_device', interval '1 minute' from generate_series(1, $2)
       ) happened`,
      [id, older]
    )
    await until(
      "all are held",
      async () => (await waiting()).filter(({ held_at }) => held_at !== null).length === 3 + older
    )
    return email
  }

  const passAnHour = async () => {
    await superuser.query("update rate_limit_spendings set spent_at = spent_at - interval '1 hour'")
    await hurry()
  }

  const pass = (time: string) => superuser.query("update outbox set due_at = due_at - $1::interval", [time])

  test("is sent once more by another process if its process is killed before the server accepts it", async () => {
    const mailbox = await used(openMailbox())
    const killed = await serve(mailbox.url)
    const email = await waitingForThree(killed)
    const { held } = mailbox.hold()
    await passAnHour()
    await until("the server has it", async () => held() === 1)
    await killed.stop("SIGKILL")
    assert.lengthOf(await waiting(), 3)
    const other = await used(openMailbox())
    await serve(other.url)
    await hurry()
    await allSent()
    assert.lengthOf(other.mails, 1)
    assert.deepStrictEqual(other.mails[0]!.recipients, [email])
    for (const words of latest) assert.include(other.mails[0]!.text, words)
  })

  test("stays one mail while the server answers 451, also if several processes try it", async () => {
    const mailbox = await used(openMailbox())
    await waitingForThree(await serve(mailbox.url), 117)
    mailbox.greylist(3)
    await passAnHour()
    await paused(1)
    await serve(mailbox.url)
    await pass("15 seconds")
    await paused(2)
    // As after some hours without a process, all of them are due.
    await hurry()
    await paused(3)
    assert.strictEqual(mailbox.refused(), 3)
    assert.lengthOf(await waiting(), 120)
    await pass("1 minute")
    await allSent()
    assert.lengthOf(mailbox.mails, 21)
    for (const words of [...latest, "we would have sent you 20 more mails"]) {
      assert.include(mailbox.mails[20]!.text, words)
    }
  })

  test("is given up as a whole after a day", async () => {
    const mailbox = await used(openMailbox())
    const service = await serve(mailbox.url)
    await waitingForThree(service)
    mailbox.greylist(100)
    await passAnHour()
    await paused(1)
    await superuser.query("update outbox set created_at = created_at - interval '25 hours'")
    await pass("15 seconds")
    await allSent()
    assert.strictEqual(mailbox.refused(), 2)
    assert.lengthOf(mailbox.mails, 20)
    await until("an error", async () => service.output().includes("given up after a day"))
  })

  test("does not wait for what cannot be written", async () => {
    const mailbox = await used(openMailbox())
    await waitingForThree(await serve(mailbox.url), 1)
    const breakOne = (which: string) =>
      superuser.query(
        `update outbox set kind = 'notice', facts = '{}' where id = (select id from outbox where ${which})`
      )
    await breakOne("kind = 'new_device'")
    mailbox.greylist(1)
    await passAnHour()
    await until("it was refused", async () => mailbox.refused() === 1)
    await breakOne("kind <> 'notice' and joined_to is null")
    await until("only the broken ones wait", async () => {
      await pass("15 seconds")
      return (await waiting()).every(({ kind }) => kind === "notice")
    })
    assert.lengthOf(await waiting(), 2)
    assert.lengthOf(mailbox.mails, 21)
    assert.lengthOf(latest.filter((words) => mailbox.mails[20]!.text.includes(words)), 2)
  })
})

test("A mail that is being sent when the service is told to stop is sent once", async () => {
  const mailbox = await used(openMailbox())
  const stopping = await serve(mailbox.url)
  const { held, release } = mailbox.hold()
  const email = await signUp(stopping)
  await until("the server has it", async () => held() === 1)
  const stopped = stopping.stop("SIGTERM")
  // These calls give the signal time to arrive. They may fail, because the service is stopping.
  for (let calls = 0; calls < 100; calls++) await call(stopping, "GET", "/health").catch(() => undefined)
  release()
  await stopped
  await serve(mailbox.url)
  await hurry()
  await allSent()
  assert.lengthOf(about(mailbox, email), 1)
})

test.each(["smtps", "starttls"] as const)(
  "A mail server's self-signed certificate is accepted over %s only with NODE_EXTRA_CA_CERTS",
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
