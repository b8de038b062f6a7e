import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase, openService } from "../../support/App.ts"
import { killing } from "../../support/KilledProcess.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

/** Nobody mails anything, so that the rows of the outbox stay. */
const environment = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }

const veterans = 400

/** Each veteran is told two things: that a share ends soon, and that the record is old. */
const fill = async () => {
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
}

const gone = async ({ url }: { readonly url: string }) => {
  for (;;) {
    await fetch(`${url}/health`)
    await setTimeout(200)
  }
}

// The sweep begins two minutes after a process's start.
test("Processes that are killed while they sweep leave each notice to be put out once by another", async () => {
  await fill()
  const killAt = killing(database, environment)
  const killed = [1, 2, 3].map((step) => killAt(step, "app.tell_notices", gone))
  // It sweeps when the others are gone.
  await setTimeout(40_000)
  const next = openService(database, environment)
  const outcomes = await Promise.all(killed)
  assert.deepStrictEqual(outcomes.map(({ status }) => status), outcomes.map(() => undefined))
  const count = async () =>
    (await superuser.query("select count(*)::int from outbox where kind = 'notice'")).rows[0].count as number
  // Every process stopped before its end.
  assert.isBelow(await count(), 2 * veterans)
  await next
  await until("the next process has told the rest", async () => await count() === 2 * veterans, 180_000)
  const { rows } = await superuser.query(
    `select count(*)::int as mails, count(distinct subject_id)::int as veterans from outbox
     where kind = 'notice' group by facts ->> 'about'`
  )
  assert.deepStrictEqual(rows, [{ mails: veterans, veterans }, { mails: veterans, veterans }])
})
