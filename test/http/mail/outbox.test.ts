import { assert, describe, test } from "vitest"
import { connectApp, refreshAsApp, registerApp } from "../../support/Apps.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { logged, until } from "../../support/Until.ts"
import { createLink, type Link, step, view, wrong } from "../link/Links.ts"
import { about as aboutIn, openSender } from "./Outbox.ts"

const { allSent, documentId, hurry, mailbox, mails, paused, service, signUp, superuser, veteran, waiting } =
  await openSender()

const about = (words: string) => aboutIn({ mails: mails() }, words)

const newLink = () => createLink(service, veteran, { documentId })

describe("The veteran", () => {
  /** Requests a code as if the last request had been long ago. */
  const codeFor = async ({ token }: Link) => {
    await superuser.query("update secure_link_otps set created_at = created_at - interval '1 minute'")
    const { json, status } = await step(service, "otp", { token })
    assert.strictEqual(status, 202)
    const code = /\b(\d{4}) (\d{4})\b/.exec(about("Your code is").at(-1)!.text)!.slice(1).join("")
    return { token, challengeId: json.challengeId as string, code }
  }

  test("gets one mail each about a link's first opening, first view and lock, without any names", async () => {
    const link = await newLink()
    for (const _ of "twice") assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
    for (const _ of ["first", "again"]) {
      const { json } = await step(service, "otp/verify", await codeFor(link))
      assert.strictEqual((await view(service, json.viewSession)).status, 200)
    }
    await superuser.query("update secure_links set wrong_codes = 13 where id = $1", [link.id])
    const attempt = wrong(await codeFor(link))
    for (const _ of "12") assert.strictEqual((await step(service, "otp/verify", attempt)).status, 401)
    assert.strictEqual((await step(service, "open", { token: link.token })).json.error, "link_disabled")
    await allSent()
    const notices = mails().filter(({ recipients }) => recipients.includes("eagle@example.org"))
    assert.deepStrictEqual(notices.map(({ headers }) => headers.get("subject")).sort(), [
      "A link of yours was locked",
      "A link of yours was opened",
      "Your document was viewed"
    ])
    for (const { raw, recipients, text } of notices) {
      assert.deepStrictEqual(recipients, ["eagle@example.org"])
      assert.match(text, /secure link to j•••@clinic\.example .* \d{4} at \d+:\d\d [AP]M Eastern Time/)
      assert.match(text, /\nVeterans Crisis Line: dial 988, then press 1\n/)
      for (const secret of [link.token, link.id, "Jane", "Gray", "O'Hara", "Eagle", veteran.id]) {
        assert.notInclude(raw, secret)
      }
    }
  })

  test("gets a mail when an app is connected and when a replay disconnects it; both name only the app", async () => {
    const app = await registerApp(superuser, { name: "Sky & \"Sons\"" })
    const connected = await connectApp(superuser, veteran, app)
    await refreshAsApp(superuser, app, connected)
    await refreshAsApp(superuser, app, connected)
    await superuser.query("select app.revoke_app_grant($1, null, $2)", [
      (await connectApp(superuser, veteran, app)).grantId,
      app.id
    ])
    await allSent()
    assert.deepStrictEqual(mails().map(({ headers }) => headers.get("subject")).sort(), [
      "An app was connected to your record",
      "An app was connected to your record",
      "An app was disconnected from your record"
    ])
    for (const { html, raw, recipients, text } of mails()) {
      assert.deepStrictEqual(recipients, ["eagle@example.org"])
      assert.match(
        text,
        /"Sky & "Sons"" .* \d{4} at \d+:\d\d [AP]M Eastern Time.*\n\n.* on the Consent tab of the app/
      )
      assert.include(html, "Sky &amp; &quot;Sons&quot;")
      for (const secret of ["Eagle", veteran.id, app.id, connected.grantId]) assert.notInclude(raw, secret)
    }
  })

  test("gets 20 mails an hour, and then one that tells the rest, the newest first", async () => {
    const { id } = await signInVeteran(service)
    const happens = (count: number, kind: string) =>
      superuser.query(
        `insert into outbox (kind, subject_id, veteran_id, created_at)
         select $2, $1, $1, now() - n * interval '1 second' from generate_series(1, $3) n`,
        [id, kind, count]
      )
    await happens(20, "passkey_added")
    await allSent()
    assert.lengthOf(about("A passkey for your"), 20)
    await happens(2, "passkey_removed")
    await happens(1, "new_device")
    await superuser.query(
      `insert into outbox (kind, subject_id, veteran_id, address, facts)
       values ('veteran_email_changed', $1, $1, 'old@example.org', '{"to":"old"}')`,
      [id]
    )
    await until("the address of before is told at once", async () => mails().length === 21)
    await until(
      "all others are held",
      async () =>
        (await waiting()).every(({ attempts, due_at }) => attempts === 0 && due_at.getTime() > Date.now() + 3_000_000)
    )
    await superuser.query("update rate_limit_spendings set spent_at = spent_at - interval '1 hour'")
    await hurry()
    await allSent()
    const [old, all] = mails().slice(20)
    assert.lengthOf(mails(), 22)
    assert.deepStrictEqual([old!.recipients, all!.recipients], [["old@example.org"], ["eagle@example.org"]])
    assert.strictEqual(all!.headers.get("subject"), "What happened in your account")
    const [english, spanish] = all!.text.split("Pasaron muchas cosas")
    const told = [/A passkey for your .* removed/g, /A new device signed in/g]
    assert.deepStrictEqual(told.map((words) => english!.match(words)?.length), [2, 1])
    assert.strictEqual(spanish!.match(/Un dispositivo nuevo inició sesión/g)?.length, 1)
  })

  test("gets a mail once that is under way when their next mails have to wait", async () => {
    const { id } = await signInVeteran(service)
    const happens = (kind: string, count = 1) =>
      superuser.query(
        "insert into outbox (kind, subject_id, veteran_id, facts) select $1, $2, $2, '{\"about\":\"day\",\"looks\":2,\"endings\":0}' from generate_series(1, $3)",
        [kind, id, count]
      )
    await happens("new_device", 19)
    await allSent()
    const { held, release } = mailbox.hold()
    await happens("passkey_removed")
    await until("it is under way", async () => held() === 1)
    await happens("notice")
    await until("the next one waits", async () => (await waiting()).some(({ held_at }) => held_at !== null))
    const underWay = (await waiting()).find(({ kind }) => kind === "passkey_removed")
    assert.deepInclude(underWay, { attempts: 1, held_at: null })
    release()
    await until("it has arrived", async () => about("A passkey for your").length === 1)
    await superuser.query("update rate_limit_spendings set spent_at = spent_at - interval '1 hour'")
    await hurry()
    await allSent()
    assert.lengthOf(about("A passkey for your"), 1)
    assert.lengthOf(about("looked at your record 2 times"), 1)
  })

  test("has each mail queued in the transaction of its cause: if queuing fails, the cause is rolled back", async () => {
    const link = await newLink()
    const verified = await step(service, "otp/verify", await codeFor(link))
    const { viewSession } = verified.json
    const wrong = { ...await codeFor(link), code: "x" }
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [link.id])
    const state = async () =>
      (await superuser.query(
        `select l.status, l.opened_at, l.viewed_at, l.wrong_codes, v.consumed_at,
           (select count(*)::int from waitlist_signups) as signups
         from secure_links l join secure_link_view_sessions v on v.link_id = l.id where l.id = $1`,
        [link.id]
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
    assert.lengthOf(mails().filter(({ recipients }) => recipients[0] === "eagle@example.org"), 3)
    assert.lengthOf(about("joined the waitlist"), 1)
  })
})

describe("A mail", () => {
  test("arrives exactly once after the server has answered 451 three times (greylisting)", async () => {
    mailbox.greylist(3)
    const email = await signUp(service)
    for (const attempts of [1, 2, 3]) {
      await paused(attempts)
      await until("it was refused", async () => mailbox.refused() === attempts)
      assert.lengthOf(mails(), 0)
      await hurry()
    }
    await allSent()
    assert.strictEqual(mailbox.refused(), 3)
    assert.lengthOf(about(email), 1)
    assert.deepStrictEqual(mails().map(({ recipients }) => recipients), [["chief@clinic.example"]])
  })
})

test("A request does not wait for the mail that it causes", async () => {
  const silence = mailbox.hold()
  const before = service.output().length
  const link = await newLink()
  assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
  await until("the mail is being sent", async () => silence.held() === 1)
  await signUp(service)
  assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
  // The mail has not failed yet, so the answer did not wait for it.
  assert.notInclude(service.output().slice(before), "link_opened:")
  assert.deepStrictEqual((await waiting()).map(({ kind }) => kind), ["link_opened", "waitlist_joined"])
  silence.release()
  await allSent()
})

test("A mail about something that no longer exists is dropped without a line in the log", async () => {
  const before = service.output().length
  await superuser.query(
    `insert into outbox (kind, subject_id, veteran_id)
     select kind, gen_random_uuid(), case when kind <> 'waitlist_joined' then $1::uuid end
     from unnest('{link_opened,link_viewed,link_locked,waitlist_joined,app_connected,app_replayed}'::text[]) kind`,
    [veteran.id]
  )
  await allSent()
  const email = await signUp(service)
  await allSent()
  assert.deepStrictEqual(mails().map(({ text }) => text.includes(email)), [true])
  // The log is in order, so this request's line comes after all of the mails.
  const { headers } = await call(service, "GET", "/health")
  await logged(service, headers.get("x-request-id")!)
  assert.notMatch(service.output().slice(before), /outbox|joined|link_|"level":"(warn|error)"/)
})

test("A mail is not kept waiting by thousands of notices and sign-ups that are due before it", async () => {
  const { release } = mailbox.hold()
  await superuser.query(
    `insert into outbox (kind, subject_id, veteran_id, facts)
     select 'notice', $1, $1, '{"about": "look", "at": "2026-01-01T00:00:00Z"}' from generate_series(1, 1000)`,
    [veteran.id]
  )
  await superuser.query(
    `with s as (insert into waitlist_signups (id, email) select gen_random_uuid(), n || '@flood.example'
       from generate_series(1, 600) n returning id)
     insert into outbox (kind, subject_id) select 'waitlist_joined', id from s`
  )
  const { id } = await signInVeteran(service)
  await superuser.query("insert into outbox (kind, subject_id, veteran_id) values ('passkey_added', $1, $1)", [id])
  await until(
    "it is sent beside them",
    async () => (await waiting()).some(({ attempts, kind }) => kind === "passkey_added" && attempts === 1)
  )
  release()
  await until("the veteran is told", async () => about("A passkey for your").length === 1)
})
