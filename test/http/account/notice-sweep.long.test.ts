import { assert, describe, test } from "vitest"
import { openApp, openDatabase } from "../../support/App.ts"
import { call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { createLink, mailsOf, step, verified, view } from "../link/Links.ts"
import { signed } from "../release/Releases.ts"
import { readPatientRecord } from "../Sharing.ts"
import { tellNotices } from "./NoticeSweeps.ts"

/** The outbox of this database is read by no process, so that its rows can be counted. */
const database = await openDatabase()

const superuser = await database.connect("superuser")

const day = 86_400_000

let made = 0

/** Registers a veteran by SQL. */
const newVeteran = async (notices: Record<string, unknown> = {}) => {
  const { rows: [{ id }] } = await superuser.query(
    "insert into veterans (id, va_patient_id, call_sign, email) values (gen_random_uuid(), $1, 'Eagle', 'e@example.org') returning id",
    [`icn-${++made}`]
  )
  const { endings = true, looks = "daily", stale = 30 } = notices
  await superuser.query(
    "update veteran_notices set looks = $2, endings = $3, stale_after_days = $4 where veteran_id = $1",
    [
      id,
      looks,
      endings,
      stale
    ]
  )
  return id as string
}

/** Gives a grant that was made `since` days ago and ends in `until` days. Returns its id. */
const giveGrantFor = async (veteran: string, until: number, since = 30) => {
  const { rows: [{ id }] } = await superuser.query(
    `with p as (
       insert into providers (id, email, password_hash, display_name, organization)
       values (gen_random_uuid(), gen_random_uuid() || '@clinic.example', 'x', 'x', 'x') returning id
     )
     insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents,
       purpose, granted_at, expires_at)
     select gen_random_uuid(), $1, p.id, '{}', true, true, 'treatment', now() - make_interval(secs => $3),
       now() + make_interval(secs => $2) from p
     returning id`,
    [veteran, until * 86_400, since * 86_400]
  )
  return id as string
}

/** Writes the proof of a look under a grant, `ago` days ago. */
const look = (veteran: string, grant: string, ago = 0, kind = "record_viewed") =>
  superuser.query(
    `insert into proofs (veteran_id, id, kind, at, event)
     select $1, gen_random_uuid(), $4, now() - make_interval(secs => $3), jsonb_build_object('grantId', $2::text)`,
    [veteran, grant, ago * 86_400, kind]
  )

const synced = (veteran: string, ago: number) =>
  superuser.query(
    `insert into proofs (veteran_id, id, kind, at, event)
     select $1, gen_random_uuid(), 'sync_stored', now() - make_interval(days => $2), '{}'`,
    [veteran, ago]
  )

/** What was put out to a veteran, in order. */
const told = async (veteran: string) => {
  const { rows } = await superuser.query(
    "select facts from outbox where kind = 'notice' and subject_id = $1 order by created_at, facts ->> 'at', id",
    [veteran]
  )
  return rows.map(({ facts }) => facts)
}

const kinds = async (veteran: string) => (await told(veteran)).map(({ about }) => about)

/** Makes today's notices yesterday's. */
const nextDay = async (veteran: string) => {
  await superuser.query("update veteran_notices set day = day - 1 where veteran_id = $1", [veteran])
  await superuser.query("update looks_untold set first_at = first_at - interval '1 day' where veteran_id = $1", [
    veteran
  ])
}

const tell = () => tellNotices(database)

describe("The sweep of notices tells", () => {
  test("each end of a share three days before it, once", async () => {
    const veteran = await newVeteran()
    const [soon, later] = [await giveGrantFor(veteran, 2.9), await giveGrantFor(veteran, 3.1)]
    assert.isAtLeast(await tell(), 1)
    const [ending, ...others] = await told(veteran)
    assert.deepStrictEqual(others, [])
    assert.strictEqual(ending.about, "ending")
    assert.closeTo(new Date(ending.at).getTime(), Date.now() + 2.9 * day, 60_000)
    await tell()
    assert.lengthOf(await told(veteran), 1)
    await superuser.query("update consent_grants set expires_at = expires_at - interval '1 day' where id = $1", [later])
    await superuser.query("update consent_grants set status = 'revoked', revoked_at = now() where id = $1", [soon])
    await tell()
    assert.deepStrictEqual(await kinds(veteran), ["ending", "ending"])
  })

  test("the end of a share that was made for a short time when half of it has passed", async () => {
    const veteran = await newVeteran()
    await giveGrantFor(veteran, 2, 0.5)
    await tell()
    assert.deepStrictEqual(await kinds(veteran), [])
    await giveGrantFor(veteran, 1, 1.1)
    await tell()
    assert.deepStrictEqual(await kinds(veteran), ["ending"])
  })

  test("no end to a veteran who wants none, and of no share that has ended or is of a disabled provider", async () => {
    const [veteran, other] = [await newVeteran({ endings: false }), await newVeteran()]
    await giveGrantFor(veteran, 1)
    const [revoked, disabled] = [await giveGrantFor(other, 1), await giveGrantFor(other, 1)]
    await giveGrantFor(other, -0.1)
    await superuser.query("update consent_grants set status = 'revoked', revoked_at = now() where id = $1", [revoked])
    await superuser.query(
      "update providers set disabled_at = now() where id = (select provider_id from consent_grants where id = $1)",
      [disabled]
    )
    await tell()
    assert.deepStrictEqual([...await kinds(veteran), ...await kinds(other)], [])
  })

  test("the looks of past days in one mail a day", async () => {
    const veteran = await newVeteran()
    const grants = [await giveGrantFor(veteran, 20), await giveGrantFor(veteran, 20)]
    for (const grant of grants) await look(veteran, grant, 1.1)
    await look(veteran, grants[0]!, 1)
    await tell()
    assert.deepStrictEqual(await told(veteran), [{ about: "day", looks: 3, endings: 0 }])
    await look(veteran, grants[0]!)
    await tell()
    assert.lengthOf(await told(veteran), 1)
    await nextDay(veteran)
    await tell()
    assert.deepStrictEqual((await told(veteran)).map(({ looks }) => looks), [3, 1])
  })

  test("each look by itself, and none, as the veteran wants", async () => {
    const [each, off] = [await newVeteran({ looks: "each" }), await newVeteran({ looks: "off" })]
    for (const veteran of [each, off]) {
      const grant = await giveGrantFor(veteran, 20)
      for (const kind of ["record_viewed", "document_read", "oauth_access_used"]) await look(veteran, grant, 1.5, kind)
      await look(veteran, grant, 0, "note_written")
    }
    await tell()
    await tell()
    assert.deepStrictEqual(await kinds(each), ["look", "look", "look"])
    assert.deepStrictEqual(await kinds(off), [])
  })

  test("a record that was not updated for long, once for each sync, while something is shared", async () => {
    const [veteran, alone, patient] = [await newVeteran(), await newVeteran(), await newVeteran({ stale: 60 })]
    for (const one of [veteran, alone, patient]) await synced(one, 31)
    for (const one of [veteran, patient]) await giveGrantFor(one, 20)
    await tell()
    await tell()
    assert.deepStrictEqual([await kinds(veteran), await kinds(alone), await kinds(patient)], [["stale"], [], []])
    await synced(veteran, 0)
    await tell()
    assert.deepStrictEqual(await kinds(veteran), ["stale"])
    await synced(veteran, 40)
    await tell()
    assert.deepStrictEqual(await kinds(veteran), ["stale", "stale"])
  })

  test("at most 20 things a day, and the rest in one mail on the next day", async () => {
    const veteran = await newVeteran({ looks: "each" })
    for (let ends = 0; ends < 22; ends++) await giveGrantFor(veteran, 1 + ends / 100)
    const grant = await giveGrantFor(veteran, 20)
    for (let looks = 0; looks < 30; looks++) await look(veteran, grant)
    await tell()
    await tell()
    assert.deepStrictEqual(await kinds(veteran), Array(20).fill("ending"))
    await nextDay(veteran)
    await look(veteran, grant)
    await tell()
    const [, ...rest] = (await told(veteran)).filter(({ about }) => about !== "ending")
    assert.deepStrictEqual(rest, [])
    const { endings, looks } = (await told(veteran)).find(({ about }) => about === "day")
    assert.deepStrictEqual([endings, looks], [2, 31])
    await nextDay(veteran)
    for (let looks = 0; looks < 25; looks++) await look(veteran, grant)
    await tell()
    assert.lengthOf((await kinds(veteran)).filter((about) => about === "look"), 20)
    await nextDay(veteran)
    await tell()
    assert.deepStrictEqual((await told(veteran)).filter(({ about }) => about === "day").map(({ looks }) => looks), [31,
      5])
  })

  test("nothing while the veteran is about to be forgotten, and the rest after it was cancelled", async () => {
    const veteran = await newVeteran({ looks: "each" })
    const grant = await giveGrantFor(veteran, 1)
    await look(veteran, grant, 1.1)
    await synced(veteran, 31)
    await superuser.query(
      "insert into veteran_deletions (veteran_id, ends_at) values ($1, now() + interval '72 hours')",
      [
        veteran
      ]
    )
    await tell()
    assert.deepStrictEqual(await told(veteran), [])
    await nextDay(veteran)
    await tell()
    assert.deepStrictEqual(await told(veteran), [])
    await superuser.query("delete from veteran_deletions where veteran_id = $1", [veteran])
    await tell()
    assert.deepStrictEqual((await kinds(veteran)).toSorted(), ["ending", "look", "stale"])
  })

  test("everything once, if many processes sweep at the same time", async () => {
    const veterans: Array<string> = []
    for (let count = 0; count < 40; count++) {
      const veteran = await newVeteran({ looks: count % 2 === 0 ? "each" : "daily" })
      veterans.push(veteran)
      await synced(veteran, 31)
      await look(veteran, await giveGrantFor(veteran, 1), 1.1)
    }
    await Promise.all(Array.from({ length: 6 }, tell))
    await tell()
    for (const [index, veteran] of veterans.entries()) {
      assert.deepStrictEqual(
        (await kinds(veteran)).toSorted(),
        [index % 2 === 0 ? "look" : "day", "ending", "stale"].toSorted()
      )
    }
  })
})

test("A notice is mailed in two languages, and names nobody", async () => {
  const { database: shared, service } = await openApp()
  const owner = await shared.connect("superuser")
  const veteran = await signInVeteran(service)
  const email = `notice-${Date.now()}@example.org`
  await owner.query("update veterans set email = $2 where id = $1", [veteran.id, email])
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "one")] })
  const provider = await signInProvider(service)
  const grant = await giveGrant(service, veteran, provider)
  await readPatientRecord(service, provider, veteran)
  const { document } = await signed(service, veteran)
  await createLink(service, veteran, { documentId: document.id, expiresInHours: 72 })
  await call(service, "PUT", "/api/veteran/me/notices", { headers: veteran.headers, body: { looks: "each" } })
  await owner.query("update consent_grants set expires_at = '2099-12-21T12:00:00Z' where id = $1", [grant.id])
  await owner.query(
    `update consent_grants set granted_at = now() - interval '10 days', expires_at = now() + interval '2 days' where id = $1`,
    [grant.id]
  )
  await owner.query(
    "update secure_links set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' where veteran_id = $1",
    [veteran.id]
  )
  await tellNotices(shared)
  const mails = await until("three notices are mailed", async () => {
    const found = (await mailsOf(service)).filter(({ raw }) => raw.includes(email))
    return found.length >= 3 ? found : undefined
  }, 20_000)
  assert.deepStrictEqual(mails.map(({ headers }) => headers.get("subject")).toSorted(), [
    "One of your shares ends soon",
    "One of your shares ends soon",
    "Somebody looked at your record"
  ])
  for (const { text } of mails) {
    assert.match(
      text,
      /(One of your shares ends on [A-Z][a-z]{2} \d{1,2}|Somebody with whom you share, or an app of yours, looked at your record on .*)\. Open Veteran Records to see it\./
    )
    assert.match(
      text,
      /(Uno de sus permisos termina el|Alguien con quien usted comparte, o una aplicación suya, miró sus registros el)/
    )
    for (const name of ["Ada", "Gray", "Eagle", "Condition", "http"]) assert.notInclude(text, name)
  }
})

test("A link's first opening and view are mailed to a veteran, but not to one who wants to hear of no looks", async () => {
  const { database: shared, service } = await openApp()
  const owner = await shared.connect("superuser")
  const emails: Record<string, string> = {}
  for (const looks of ["off", "daily"]) {
    const veteran = await signInVeteran(service)
    const email = emails[looks] = `${looks}-${Date.now()}@example.org`
    await owner.query("update veterans set email = $2 where id = $1", [veteran.id, email])
    await call(service, "PUT", "/api/veteran/me/notices", { headers: veteran.headers, body: { looks } })
    const link = await createLink(service, veteran)
    assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
    assert.strictEqual((await view(service, await verified(service, link))).status, 200)
  }
  const subjects = async (email: string) =>
    (await mailsOf(service)).filter(({ raw }) => raw.includes(`To: ${email}`)).map(({ headers }) =>
      headers.get("subject")
    )
  // The outbox is read in order, so the mails of the other veteran were decided on before.
  const told = await until("two mails", async () => {
    const found = await subjects(emails["daily"]!)
    return found.length >= 2 ? found : undefined
  }, 20_000)
  assert.lengthOf(told, 2)
  assert.match(told.join(), /opened.*(viewed|read|seen)/i)
  assert.deepStrictEqual(await subjects(emails["off"]!), [])
})
