import { assert, test } from "vitest"
import { openDatabase } from "../../support/App.ts"
import { tellNotices } from "./NoticeSweeps.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

/** Registers veterans with a grant each, half of which end soon, and with a ledger of older looks. */
const fill = async (veterans: number, eventsEach: number) => {
  await superuser.query(
    `insert into providers (id, email, password_hash, display_name, organization)
     values ('00000000-0000-7000-8000-000000000001', 'p@clinic.example', 'x', 'x', 'x')`
  )
  await superuser.query(
    `insert into veterans (id, va_patient_id, call_sign, email)
     select gen_random_uuid(), 'icn-' || n, 'Eagle', 'e@example.org' from generate_series(1, $1::int) n`,
    [veterans]
  )
  await superuser.query(
    `insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents,
       purpose, granted_at, expires_at)
     select gen_random_uuid(), id, '00000000-0000-7000-8000-000000000001', '{}', true, true, 'x', now() - interval '30 days',
       now() + interval '40 days' from veterans`
  )
  await superuser.query("alter table proofs disable trigger user")
  await superuser.query(
    `insert into proofs (veteran_id, id, kind, at, event)
     select v.id, app.uuid_v7(now() - make_interval(mins => n)), 'record_viewed', now() - make_interval(mins => n), '{}'
     from veterans v cross join generate_series(1, $1::int) n`,
    [eventsEach]
  )
  await superuser.query("alter table proofs enable trigger user")
  await superuser.query("update veteran_notices set synced_at = now()")
  await superuser.query("vacuum analyze")
}

const timed = async (work: () => Promise<number>) => {
  const began = performance.now()
  const mails = await work()
  return { mails, ms: performance.now() - began }
}

const notices = async () =>
  (await superuser.query("select count(*)::int from outbox where kind = 'notice'")).rows[0].count as number

test(
  "A sweep of 10,000 veterans takes moments if nothing is due, and each notice is put out once if many are",
  async () => {
    await fill(10_000, 50)
    // A process's connection costs more than the sweep, so the first round does not count.
    await tellNotices(database)
    const idle = await timed(() => tellNotices(database))
    await superuser.query("update veteran_notices set synced_at = now() - interval '20 days'")
    const old = await timed(() => tellNotices(database))
    await superuser.query("update consent_grants set expires_at = now() + interval '2 days'")
    await superuser.query(
      `insert into looks_untold select veteran_id, id, 3, now() - interval '1 day', '{}' from consent_grants`
    )
    await superuser.query("update veteran_notices set synced_at = now() - interval '31 days'")
    const sweeps = await Promise.all([timed(() => tellNotices(database)), timed(() => tellNotices(database))])
    assert.strictEqual(idle.mails + old.mails, 0)
    assert.strictEqual(sweeps[0]!.mails + sweeps[1]!.mails, 30_000)
    assert.strictEqual(await notices(), 30_000)
    assert.strictEqual((await timed(() => tellNotices(database))).mails, 0)
  },
  300_000
)

test("A sweep whose database sessions are killed again and again ends with each notice put out once", async () => {
  await superuser.query("truncate outbox, endings_told")
  await superuser.query("update veteran_notices set sent = 0, day = '-infinity', is_stale_told = true")
  const ends = new AbortController()
  const killing = (async () => {
    const killer = await database.connect("superuser")
    while (!ends.signal.aborted) {
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'vrss_app' and random() < 0.5`
      )
      await new Promise((resume) => setTimeout(resume, 150))
    }
  })()
  for (let left = 1, rounds = 0; left > 0 && rounds < 200; rounds++) {
    await Promise.allSettled([tellNotices(database), tellNotices(database)])
    left = 10_000 - await notices()
    if (rounds === 20) ends.abort()
  }
  ends.abort()
  await killing
  const { rows } = await superuser.query(
    "select count(*)::int as mails, count(distinct subject_id)::int as veterans from outbox where kind = 'notice'"
  )
  assert.deepStrictEqual(rows, [{ mails: 10_000, veterans: 10_000 }])
}, 300_000)
