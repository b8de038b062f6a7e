import { assert, describe, test } from "vitest"
import { openService } from "../../support/App.ts"
import { asAdmin, call, signInProvider } from "../../support/Client.ts"
import { signInDevice } from "../../support/Device.ts"
import { postSync, resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { sign, signed, upload } from "../release/Releases.ts"
import { ask, askAsOperator, cancel, forget, letTimePass, onlyAccountIsLeft } from "./Deleting.ts"

const { database, service: one, va } = await openVaApp()

const other = await openService(database, va.environment)

const superuser = await database.connect("superuser")

const holder = await database.connect("superuser")

const runtime = await database.connect("runtime")

const signInTo = async () => {
  const session = await signInDevice(one, va)
  return { ...session, id: session.person.id, token: session.access.accessToken as string }
}

type Veteran = Awaited<ReturnType<typeof signInTo>>

const post = (service: typeof one, { headers }: Pick<Veteran, "headers">, path: string, body?: unknown) =>
  call(service, "POST", `/api/veteran/me${path}`, { headers, ...(body === undefined ? {} : { body }) })

const giveGrant = async (veteran: Veteran, provider: { readonly id: string }) =>
  post(other, veteran, "/consent-grants", {
    providerId: provider.id,
    resourceTypes: null,
    sensitiveCategories: [],
    includeSelfReported: false,
    includeDocuments: false,
    purpose: "treatment",
    expiresAt: new Date(Date.now() + 3_600_000).toISOString()
  })

const giveLink = (veteran: Veteran, documentId: string) =>
  post(other, veteran, "/secure-links", { documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example" })

const waiting = async () =>
  (await superuser.query(
    `select from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`
  )).rowCount!

/** Lets `giving` and then `ending` wait for the turn, so that both transactions are open. Then lets them go. */
const atOnce = async <A, B>(veteran: Veteran, giving: () => Promise<A>, ending: () => Promise<B>) => {
  await holder.query("begin")
  await holder.query("select app.take_sharing_turn($1)", [veteran.id])
  const given = giving()
  await until("what is given waits", async () => await waiting() === 1)
  const ended = ending()
  await until("the end waits", async () => await waiting() === 2)
  await holder.query("commit")
  return { given: await given, ended: await ended }
}

/** What somebody could read by. */
const active = async ({ id }: Veteran) => {
  const { rows: [row] } = await superuser.query(
    `select (select count(*)::int from consent_grants where veteran_id = $1 and status = 'active') as grants,
       (select count(*)::int from secure_links l where veteran_id = $1 and app.link_status(l) = 'active') as links,
       (select count(*)::int from documents d where veteran_id = $1 and app.in_force(d)) as releases`,
    [id]
  )
  return row
}

/** What operators did, without what was done to ask for the deletion. */
const actsOf = async ({ id }: Veteran) => {
  const { rows } = await superuser.query("select act from admin_acts where target_id = $1 order by id", [id])
  return rows.map(({ act }) => act).filter((act) =>
    !["veteran_registered", "pairing_code_made", "deletion_asked"].includes(act)
  )
}

const nothing = { grants: 0, links: 0, releases: 0 }

const ends: Record<string, (veteran: Veteran) => Promise<{ readonly status: number }>> = {
  "stop-all": (veteran) => post(one, veteran, "/sharing/stop-all", {}),
  "end-access": ({ id }) => call(one, "POST", `/api/admin/veterans/${id}/end-access`, { headers: asAdmin }),
  "a deletion": (veteran) => ask(one, veteran)
}

describe.each(Object.entries(ends))("%s", (_, end) => {
  test("leaves no grant, link or release that another process was about to give", async () => {
    const veteran = await signInTo()
    const provider = await signInProvider(one)
    await sync(one, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    const gives = [
      async () => () => giveGrant(veteran, provider),
      async () => {
        const { document } = await signed(one, veteran)
        return () => giveLink(veteran, document.id)
      },
      async () => () => sign(other, veteran, { information: { resourceTypes: ["Condition"], documentIds: [] } })
    ]
    // After the other ends, the veteran can give nothing more.
    for (const prepare of end === ends["stop-all"] ? gives : gives.slice(0, 1)) {
      const { ended, given } = await atOnce(veteran, await prepare(), () => end(veteran))
      assert.oneOf(ended.status, [200, 202])
      assert.oneOf(given.status, [201, 409])
      assert.deepStrictEqual(await active(veteran), nothing)
    }
  })

  test("refuses what was begun before it and comes after it", async () => {
    const veteran = await signInTo()
    const provider = await signInProvider(one)
    await holder.query("begin")
    await holder.query("select app.take_sharing_turn($1)", [veteran.id])
    const ended = end(veteran)
    await until("the end waits", async () => await waiting() === 1)
    const given = giveGrant(veteran, provider)
    await until("the grant waits", async () => await waiting() === 2)
    await holder.query("commit")
    assert.oneOf((await ended).status, [200, 202])
    assert.oneOf((await given).status, [401, 409])
    assert.deepStrictEqual(await active(veteran), nothing)
  })

  test("races without a deadlock with what is given, signed and synchronised", async () => {
    const veteran = await signInTo()
    const provider = await signInProvider(one)
    await sync(one, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    const { document } = await signed(one, veteran)
    const answers = await Promise.all([
      giveGrant(veteran, provider),
      giveLink(veteran, document.id),
      sign(other, veteran, { supersedes: document.id }),
      postSync(other, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c2")] }),
      post(other, veteran, `/roi/${document.id}/revoke`),
      giveGrant(veteran, provider),
      end(veteran),
      end(veteran)
    ])
    // A release that has ended meanwhile cannot be replaced, which is 400.
    for (const { status } of answers) assert.oneOf(status, [200, 201, 202, 400, 401, 404, 409])
    assert.oneOf((await end(veteran)).status, [200, 202, 401])
    if (end !== ends["stop-all"]) assert.deepStrictEqual(await active(veteran), nothing)
  })
})

test("A sync that runs while the veteran asks for deletion stores nothing", async () => {
  const veteran = await signInTo()
  await holder.query("begin")
  await holder.query("select from veterans where id = $1 for no key update", [veteran.id])
  const synced = postSync(other, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  const waits = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`
  await until("the sync waits", async () => (await superuser.query(waits)).rowCount === 1)
  const asked = ask(one, veteran)
  assert.strictEqual((await asked).status, 202)
  await holder.query("commit")
  const answer = await synced
  assert.deepStrictEqual([answer.status, answer.json.error], [409, "deletion_pending"])
})

test("end-access, sent to both processes at once, counts each thing once and is noted twice", async () => {
  const veteran = await signInTo()
  const provider = await signInProvider(one)
  await giveGrant(veteran, provider)
  const { document } = await signed(one, veteran)
  await giveLink(veteran, document.id)
  const endAccess = (service: typeof one) =>
    call(service, "POST", `/api/admin/veterans/${veteran.id}/end-access`, { headers: asAdmin })
  const { ended, given } = await atOnce(veteran, () => endAccess(one), () => endAccess(other))
  assert.deepStrictEqual([ended.status, given.status], [200, 200])
  assert.deepStrictEqual(
    [given.json, ended.json].toSorted((a, b) => b.grants - a.grants),
    [{ sessions: 1, grants: 1, apps: 0, links: 1, releases: 1 }, {
      sessions: 0,
      grants: 0,
      apps: 0,
      links: 0,
      releases: 0
    }]
  )
  assert.deepStrictEqual(await active(veteran), nothing)
  assert.deepStrictEqual(await actsOf(veteran), ["access_ended", "access_ended"])
})

describe("An operator's act on a veteran who is being forgotten", () => {
  const admin = ({ id }: Veteran, method: string, path: string, body?: unknown) =>
    call(other, method, `/api/admin/veterans/${id}${path}`, {
      headers: asAdmin,
      ...(body === undefined ? {} : { body })
    })

  const operatorActs: Record<string, (veteran: Veteran) => ReturnType<typeof admin>> = {
    "a new call sign": (veteran) => admin(veteran, "PATCH", "", { callSign: "Hawk" }),
    "a new address": (veteran) => admin(veteran, "PATCH", "", { email: "hawk@example.org" }),
    "a new number": (veteran) => admin(veteran, "PATCH", "", { vaPatientId: `icn-${Date.now()}` }),
    "a pairing code": (veteran) => admin(veteran, "POST", "/pairing-code"),
    "an account removed": (veteran) => admin(veteran, "DELETE", "/identities/00000000-0000-7000-8000-000000000000"),
    "access ended": (veteran) => admin(veteran, "POST", "/end-access"),
    "a deletion asked for": (veteran) => admin(veteran, "POST", "/deletion", { reason: "ticket 2" }),
    "a deletion cancelled": (veteran) => admin(veteran, "POST", "/deletion/cancel"),
    "an export": (veteran) => admin(veteran, "POST", "/export", { reason: "ticket 2" })
  }

  test("meets nobody, while it waits or later", async () => {
    const veteran = await signInTo()
    await askAsOperator(one, veteran.id)
    await letTimePass(superuser, veteran.id)
    await holder.query("begin")
    await holder.query("select * from app.forget_veteran($1, 1800, 100)", [veteran.id])
    const waiting = Object.entries(operatorActs).map(async ([name, act]) => ({ name, ...await act(veteran) }))
    // Some of the acts wait for the step, and some see the veteran as they still are.
    await new Promise((resume) => setTimeout(resume, 300))
    await holder.query("commit")
    for (const { json, name, status } of await Promise.all(waiting)) {
      if (status !== 200) assert.include([404, 409], status, `${name}: ${JSON.stringify(json)}`)
    }
    const before = await actsOf(veteran)
    await forget(superuser, database, one, veteran.id)
    for (const [name, act] of Object.entries(operatorActs)) {
      const later = await act(veteran)
      assert.deepStrictEqual([name, later.status, later.json.error], [name, 404, "not_found"])
    }
    assert.deepStrictEqual(await actsOf(veteran), before)
    await onlyAccountIsLeft(superuser, veteran.id)
  })
})

describe("At the end of the 72 hours", () => {
  test("what the veteran writes in that moment is gone too, on any process", async () => {
    for (let round = 0; round < 2; round++) {
      const veteran = await signInTo()
      await upload(one, veteran, "a letter")
      await askAsOperator(one, veteran.id)
      await letTimePass(superuser, veteran.id)
      const entry = (service: typeof one) =>
        post(service, veteran, "/self-reported-entries", { category: "note", text: "a canary" })
      const [, ...answers] = await Promise.all([
        forget(superuser, database, one, veteran.id),
        entry(one),
        entry(other),
        upload(other, veteran, "a canary"),
        postSync(one, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] }),
        sign(other, veteran)
      ])
      for (const { status } of answers) assert.oneOf(status, [200, 201, 401, 409])
      await onlyAccountIsLeft(superuser, veteran.id)
    }
  })

  test("either the cancel or the end wins, and never half of it", async () => {
    let [cancelled, forgotten] = [0, 0]
    for (let round = 0; round < 2; round++) {
      const veteran = await signInTo()
      await upload(one, veteran, "a letter")
      await askAsOperator(one, veteran.id)
      await letTimePass(superuser, veteran.id)
      const step = () => runtime.query("select * from app.forget_veteran($1, 1800, 100)", [veteran.id])
      const [answer] = round % 2 === 0
        ? await Promise.all([cancel(other, veteran), step()])
        : (await Promise.all([step(), cancel(other, veteran)])).toReversed() as [Awaited<ReturnType<typeof cancel>>]
      const { rowCount: isPending } = await superuser.query("select from veteran_deletions where veteran_id = $1", [
        veteran.id
      ])
      const reads = await call(one, "GET", "/api/veteran/me/documents", { headers: veteran.headers })
      if (isPending === 0) {
        cancelled++
        assert.deepStrictEqual([answer!.status, reads.json.items.length], [204, 1])
      } else {
        forgotten++
        assert.oneOf(answer!.status, [204, 401])
        assert.strictEqual(reads.status, 401)
        await forget(superuser, database, one, veteran.id)
        await onlyAccountIsLeft(superuser, veteran.id)
      }
    }
    assert.strictEqual(cancelled + forgotten, 2)
  })
})
