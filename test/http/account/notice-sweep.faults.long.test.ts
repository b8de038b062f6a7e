import { setTimeout } from "node:timers/promises"
import { assert, beforeEach, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase } from "../../support/App.ts"
import { killing } from "../../support/KilledProcess.ts"
import { tellNotices } from "./NoticeSweeps.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const veterans = 2000

/** Each veteran is told two things: that a share ends soon, and that the record is old. */
beforeEach(async () => {
  // As a replica, the session is not held by the triggers that keep events.
  await superuser.query(
    `set session_replication_role = replica; truncate veterans, providers, outbox cascade;
     set session_replication_role = origin`
  )
  await superuser.query(
    `insert into providers (id, email, password_hash, display_name, organization)
     values ('00000000-0000-7000-8000-000000000001', 'p@clinic.example', 'x', 'x', 'x')`
  )
  await superuser.query(
    `with v as (
       insert into veterans (id, va_patient_id, call_sign, email)
       select gen_random_uuid(), 'icn-' || n, 'Eagle', 'e@example.org' from generate_series(1, $1::int) n returning id
     )
     insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents,
       purpose, granted_at, expires_at)
     select gen_random_uuid(), id, '00000000-0000-7000-8000-000000000001', '{}', true, true, 'x', now() - interval '30 days',
       now() + interval '2 days' from v`,
    [veterans]
  )
  await superuser.query("update veteran_notices set synced_at = now() - interval '31 days'")
})

const told = async () =>
  (await superuser.query("select count(*)::int from outbox where kind = 'notice'")).rows[0].count as number

const assertOnceEach = async () => {
  const { rows } = await superuser.query(
    `select count(*)::int as mails, count(distinct subject_id)::int as veterans from outbox
     where kind = 'notice' group by facts ->> 'about'`
  )
  assert.deepStrictEqual(rows, [{ mails: veterans, veterans }, { mails: veterans, veterans }])
}

test("A process that is killed while it sweeps leaves the rest of the notices to another, and each is put out once", async () => {
  // It mails nothing, so that the rows of the outbox stay.
  const killAt = killing(database, { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
  const gone = async ({ url }: { readonly url: string }) => {
    // The sweep begins two minutes after the process's start.
    for (;;) {
      await fetch(`${url}/health`)
      await setTimeout(1000)
    }
  }
  assert.isUndefined((await killAt(4, "app.tell_notices", gone)).status)
  assert.isBelow(await told(), 2 * veterans)
  await tellNotices(database)
  await assertOnceEach()
})

test("A sweep whose database sessions are killed again and again ends with each notice put out once", async () => {
  const ends = new AbortController()
  const killing = (async () => {
    const killer = await database.connect("superuser")
    while (!ends.signal.aborted) {
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'vrss_app' and random() < 0.5`
      )
      await setTimeout(50)
    }
  })()
  let failed = 0
  for (let rounds = 0; await told() < 2 * veterans; rounds++) {
    assert.isBelow(rounds, 200)
    const outcomes = await Promise.allSettled([tellNotices(database), tellNotices(database)])
    failed += outcomes.filter(({ status }) => status === "rejected").length
    if (rounds === 20) ends.abort()
  }
  ends.abort()
  await killing
  assert.isAbove(failed, 0)
  await assertOnceEach()
})
