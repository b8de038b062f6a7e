import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { giveSessions, storeCopy } from "../http/document/Copies.ts"
import { bytesOfPdf, signInByApp } from "../http/export/Exports.ts"
import { assertWhole, drain, writeEvents } from "../http/ledger/Drained.ts"
import { createLink, revokeLink, step, view } from "../http/link/Links.ts"
import { about } from "../http/mail/Outbox.ts"
import { sign, signed, upload } from "../http/release/Releases.ts"
import { revoke } from "../http/Sharing.ts"
import { atEnd, openDatabase, openFolder } from "../support/App.ts"
import {
  type Answer,
  asAdmin,
  bearer,
  call,
  giveGrant,
  randomAddress,
  signInAtPortal,
  signInProvider,
  signInVeteran
} from "../support/Client.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { renew, signInDevice } from "../support/Device.ts"
import { openMailbox } from "../support/Mailbox.ts"
import { until } from "../support/Until.ts"
import { openVaIssuer } from "../support/VaIssuer.ts"
import { noHaproxy } from "../web/Haproxy.ts"
import { openThree, trustHaproxy } from "./Three.ts"
import { type Trickle, trickle } from "./Trickle.ts"

const tally = (answers: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const me = "/api/veteran/me"

describeWith(noHaproxy, "Three processes behind HAProxy (skipped without Debian's package haproxy)", async () => {
  trustHaproxy()
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  // The first sweep of each process, a minute after its start, removes these.
  const swept = 3000
  await superuser.query(
    `insert into rate_limit_spendings (key, spent_at, permits)
     select substr(sha256(n::text::bytea), 1, 16), now() - interval '2 days', 1 from generate_series(1, $1) n`,
    [swept]
  )
  const mailbox = await openMailbox()
  atEnd(mailbox.close)
  const va = await openVaIssuer()
  const home = { directory: await openFolder() }
  const { haproxy, processes } = await openThree(database, {
    ...va.environment,
    SMTP_URL: mailbox.url,
    ADMIN_EMAIL: "chief@clinic.example",
    UPLOAD_DIR: join(home.directory, ".data/uploads"),
    // HAProxy is one, and the test client plays another before it.
    TRUSTED_PROXY_HOPS: "2"
  })
  const [one, two, three] = processes

  const sumOf = async (counter: string) => {
    const texts = await Promise.all(
      processes.map((process) => call(process, "GET", "/api/admin/metrics", { headers: asAdmin }))
    )
    const values = texts.map(({ text }) => text.split("\n").find((line) => line.startsWith(`${counter} `)))
    return values.reduce((sum, line) => sum + Number(line?.split(" ").at(-1) ?? 0), 0)
  }

  const codeFor = (address: string) =>
    until("the code has arrived", async () =>
      mailbox.mails.filter(({ recipients }) => recipients.includes(address))
        .flatMap(({ text }) => /^Your code is (\d{4}) (\d{4})$/m.exec(text)?.slice(1).join("") ?? []).at(-1))

  /** Asserts that each process answers with this status. */
  const onEach = async (expected: number, ask: (process: typeof one) => Promise<{ readonly status: number }>) =>
    assert.deepStrictEqual(
      (await Promise.all(processes.map(ask))).map(({ status }) => status),
      [expected, expected, expected]
    )

  describe("count one limit:", () => {
    test("a veteran's 800 requests are answered exactly 600 times within a minute", async () => {
      const read = async () => {
        const { headers } = await signInVeteran(haproxy)
        const began = performance.now()
        const answers: Array<Answer> = []
        let next = 0
        await Promise.all(Array.from({ length: 24 }, async () => {
          while (next++ < 800) answers.push(await call(haproxy, "GET", me, { headers }))
        }))
        // On a machine that needs a minute for them, the first permits come back. Then nothing is shown.
        return performance.now() - began < 55_000 && tally(answers)
      }
      assert.deepStrictEqual(await until("800 requests are answered in time", read, 240_000), { 200: 600, 429: 200 })
    })

    test("60 logins from one address are tried exactly 30 times", async () => {
      const headers = { "x-forwarded-for": randomAddress() }
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => call(haproxy, "POST", "/api/provider/login", { headers, body: "{" }))
      )
      assert.deepStrictEqual(tally(answers), { 400: 30, 429: 30 })
    })

    test("26 requests for a code to one address send exactly 20 mails", async () => {
      const veteran = await signInVeteran(haproxy)
      const { document } = await signed(haproxy, veteran)
      const recipientEmail = `${randomUUID()}@clinic.example`
      const links = await Promise.all(
        Array.from({ length: 26 }, () => createLink(haproxy, veteran, { documentId: document.id, recipientEmail }))
      )
      const answers = await Promise.all(links.map(({ token }) => step(haproxy, "otp", { token })))
      assert.deepStrictEqual(tally(answers), { 202: 20, 429: 6 })
      const sent = () => mailbox.mails.filter(({ recipients }) => recipients.includes(recipientEmail))
      await until("the mails have arrived", async () => sent().length === 20)
    })
  })

  describe("know one sign-in:", () => {
    test("a veteran's by the key of a device, until the veteran signs out", async () => {
      const { access, device, headers, sessionId } = await signInDevice(haproxy, va)
      assert.isString(access.accessToken)
      await onEach(200, (process) => call(process, "GET", me, { headers }))
      // HAProxy gives each of them to the next process.
      let latest = headers
      for (const _ of processes) {
        const { json, status } = await renew(haproxy, device, sessionId)
        assert.strictEqual(status, 200)
        latest = bearer(json.accessToken)
        await onEach(200, (process) => call(process, "GET", me, { headers: latest }))
      }
      assert.strictEqual((await call(two, "POST", `${me}/sessions/current/end`, { headers: latest })).status, 204)
      await onEach(401, (process) => call(process, "GET", me, { headers: latest }))
      for (const _ of processes) assert.strictEqual((await renew(haproxy, device, sessionId)).status, 401)
    })

    test("a provider's at the portal, also after a reload of the page, until the provider signs out", async () => {
      const { email } = await signInProvider(haproxy)
      const { headers, resume } = await signInAtPortal(haproxy, email)
      await onEach(200, (process) => call(process, "GET", "/api/provider/me", { headers }))
      const reload = (process: typeof one) => call(process, "POST", "/api/provider/session/resume", { headers: resume })
      await onEach(200, reload)
      assert.strictEqual((await call(three, "POST", "/api/provider/logout", { headers })).status, 204)
      await onEach(401, (process) => call(process, "GET", "/api/provider/me", { headers }))
      await onEach(401, reload)
    })

    test("the operator's secret", async () => {
      await onEach(200, (process) => call(process, "GET", "/api/admin/veterans", { headers: asAdmin }))
      await onEach(401, (process) => call(process, "GET", "/api/admin/veterans"))
    })

    test("a recipient's, whose steps each reach another process, and which shows the document once", async () => {
      const veteran = await signInVeteran(haproxy)
      const recipientEmail = `${randomUUID()}@clinic.example`
      const { token } = await createLink(one, veteran, { recipientEmail })
      assert.strictEqual((await step(two, "open", { token })).status, 200)
      const { json: { challengeId } } = await step(three, "otp", { token })
      const code = await codeFor(recipientEmail)
      const { json: { viewSession } } = await step(one, "otp/verify", { token, challengeId, code })
      const views = await Promise.all(processes.map((process) => view(process, viewSession)))
      assert.deepStrictEqual(tally(views), { 200: 1, 410: 2 })
      await onEach(410, (process) => view(process, viewSession))
    })
  })

  describe("end what another sends:", () => {
    const size = 24 * 1024 * 1024

    /**
     * What nobody ends is read to its end, in half a minute or more. `since` is when the end was answered. A busy
     * machine needs most of `within`.
     */
    const assertCut = async (running: ReadonlyArray<Trickle>, since: number, within: number) => {
      for (const { complete, at } of await Promise.all(running.map(({ end }) => end))) {
        assert.isFalse(complete)
        assert.isBelow(at - since, within)
      }
    }

    test("a link that is revoked by one is cut in the others, and none begins a view", async () => {
      const veteran = await signInVeteran(haproxy)
      const link = await createLink(haproxy, veteran)
      await storeCopy(home, superuser, link.documentId, size)
      const sessions = await giveSessions(home, superuser, Array.from({ length: 6 }, () => link))
      const begin = (process: typeof one, viewSession: string | undefined) =>
        trickle(process, { path: "/api/secure-links/view", body: { viewSession } })
      const running = [await begin(two, sessions[0]), await begin(three, sessions[1])]
      assert.strictEqual((await revokeLink(one, veteran, link)).status, 200)
      const since = performance.now()
      await onEach(410, (process) => view(process, sessions[2 + processes.indexOf(process)]!))
      // A quiet machine needs a tenth of a second.
      await assertCut(running, since, 10_000)
    })

    test("the files of a grant that is stopped, and those of a session that is ended", async () => {
      const veteran = await signInByApp(haproxy, va)
      const { headers } = veteran
      const provider = await signInProvider(haproxy)
      const grant = await giveGrant(haproxy, veteran, provider)
      const { json: { id } } = await upload(haproxy, veteran, bytesOfPdf(size), "large.pdf")
      const shared = `/api/provider/patients/${veteran.id}/documents/${id}/content`
      const own = `${me}/documents/${id}/content`
      const reading = await Promise.all(
        [two, three].map((process) => trickle(process, { path: shared, headers: provider.headers }))
      )
      assert.strictEqual((await revoke(one, veteran, grant)).status, 200)
      const stopped = performance.now()
      await onEach(403, (process) => call(process, "GET", shared, { headers: provider.headers }))
      // A process that sends a file looks every three seconds whether it may.
      await assertCut(reading, stopped, 30_000)
      const [first, second] = [await trickle(one, { path: own, headers }), await trickle(three, { path: own, headers })]
      assert.strictEqual((await call(two, "POST", `${me}/sessions/current/end`, { headers })).status, 204)
      const ended = performance.now()
      await onEach(401, (process) => call(process, "GET", own, { headers }))
      await assertCut([first, second], ended, 30_000)
    })
  })

  describe("do once, all at the same time:", () => {
    test("each event becomes one leaf of one tree", async () => {
      const veteran = await signInVeteran(haproxy)
      const provider = await signInProvider(haproxy)
      const work = new AbortController()
      const draining = processes.map(async (process) => {
        while (!work.signal.aborted) await drain(process)
      })
      await Promise.all([
        ...processes.map(async () => {
          for (let n = 0; n < 10; n++) {
            const grant = await giveGrant(haproxy, veteran, provider)
            assert.strictEqual((await revoke(haproxy, veteran, grant)).status, 200)
          }
        }),
        (async () => {
          for (let n = 0; n < 10; n++) await writeEvents(superuser, veteran.id, 100)
        })()
      ])
      work.abort()
      await Promise.all(draining)
      await drain(haproxy)
      const leaves = await assertWhole(superuser)
      const { rows: [{ proofs }] } = await superuser.query("select count(*)::int as proofs from proofs")
      assert.strictEqual(leaves, proofs)
      await until("each leaf is counted once", async () => await sumOf("proofs_drained_total") === leaves)
    })

    test("each mail is sent", async () => {
      const { held, release } = mailbox.hold()
      await superuser.query(
        `with s as (insert into waitlist_signups (id, email) select gen_random_uuid(), i || '@many.example'
           from generate_series(100, 189) i returning id)
         insert into outbox (kind, subject_id) select 'waitlist_joined', id from s`
      )
      await until("all three are sending", async () => held() >= 3)
      release()
      await until("the outbox is empty", async () => (await superuser.query("select from outbox")).rowCount === 0)
      const sent = about(mailbox, "@many.example").map(({ text }) => /^\d+@many\.example/.exec(text)?.[0])
      assert.deepStrictEqual(sent.sort(), Array.from({ length: 90 }, (_, index) => `${index + 100}@many.example`))
    })

    test("each expired row is swept", async () => {
      const old = "select from rate_limit_spendings where spent_at < now() - interval '1 day'"
      await until("all are gone", async () => (await superuser.query(old)).rowCount === 0)
      const counted = async () => await sumOf(`sweep_rows_total{what="rate limits"}`) === swept
      await until("each is counted once", counted)
    })
  })

  test("lose nothing that was answered when one is killed, whose locks are free and whom HAProxy leaves out", async () => {
    const veterans = await Promise.all(Array.from({ length: 4 }, () => signInVeteran(haproxy)))
    const answered: Array<string> = []
    const refused: Record<string, number> = {}
    const load = new AbortController()
    const writing = veterans.map(async ({ headers }) => {
      while (!load.signal.aborted) {
        const body = { category: "note", text: randomUUID() }
        const answer = await call(haproxy, "POST", `${me}/self-reported-entries`, { headers, body }).catch(() =>
          undefined
        )
        if (answer?.status === 201) answered.push(answer.json.id)
        else refused[answer?.status ?? "broken"] = (refused[answer?.status ?? "broken"] ?? 0) + 1
        // A veteran's requests stay below the limit.
        await setTimeout(150)
      }
    })
    const signer = await signInVeteran(haproxy)
    const holder = await database.connect("superuser")
    await holder.query("begin; lock table documents in access exclusive mode")
    const signing = sign(one, signer).catch(() => undefined)
    await until("the signing has its turn", async () => {
      const turn = "((classid::int8 << 32) | objid::int8) = hashtextextended($1, 0)"
      const locks = `select from pg_locks where locktype = 'advisory' and granted and ${turn}`
      return (await superuser.query(locks, [`release ${signer.id}`])).rowCount === 1
    })
    await until("some were answered", async () => answered.length > 20)
    await one.stop("SIGKILL")
    await signing
    await holder.query("commit")
    // On a busy machine, a signing may also be answered 503.
    await until("another process has the turn", async () => (await sign(two, signer)).status === 201)
    await until("HAProxy leaves it out", async () => haproxy.output().includes("Server vrss/one is DOWN"))
    const before = answered.length
    await until("more were answered", async () => answered.length > before + 20)
    load.abort()
    await Promise.all(writing)
    const { rows } = await superuser.query("select id from self_reported_entries")
    assert.isTrue(new Set(answered).isSubsetOf(new Set(rows.map(({ id }) => id))))
    assert.deepStrictEqual(Object.keys(refused).filter((status) => !["502", "503", "broken"].includes(status)), [])
    const reads = Array.from({ length: 30 }, () => call(haproxy, "GET", me, { headers: signer.headers }))
    assert.deepStrictEqual(tally(await Promise.all(reads)), { 200: 30 })
    assert.isAbove((await drain(haproxy)).treeSize, 0)
  })
})
