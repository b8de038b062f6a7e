import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, test } from "vitest"
import { ProviderId } from "../../src/domain/Id.ts"
import * as ConsentGrantRepository from "../../src/sql/consent/ConsentGrantRepository.ts"
import { openDatabase } from "../support/App.ts"
import { connect } from "./Guard.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const runtime = connect(database, "runtime")

const provider = (n: number) => ProviderId.make(`0190a000-0000-7000-8000-00000000000${n}`)

const patients = 2_000

await superuser.query(
  `insert into providers (id, email, password_hash, display_name, organization)
   select id, id || '@clinic.example', '', 'Dr. Ada Gray', 'Gray Clinic' from unnest($1::uuid[]) id`,
  [[provider(1), provider(2)]]
)

// The veterans' ids are in a random order. Each provider's grants have ids in the order of the call signs, so the grant
// with the highest call sign is the newest.
await superuser.query(
  `with patients as (
     insert into veterans (id, va_patient_id, call_sign, email)
     select gen_random_uuid(), n, n, 'eagle@example.org' from generate_series(1, $2::int) n returning id, call_sign
   )
   insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents,
     purpose, expires_at)
   select ('0190b000-000' || p || '-7000-8000-' || lpad(call_sign, 12, '0'))::uuid, patients.id, provider, '{}', false, false, '',
     now() + interval '1 hour'
   from patients, unnest($1::uuid[]) with ordinality providers (provider, p)`,
  [[provider(1), provider(2)], patients]
)

/** Reads a page as the service does. Returns its rows, and how many rows of grants PostgreSQL fetched. */
const read = (query: Parameters<ReturnType<typeof ConsentGrantRepository.make>["patients"]>[0]) =>
  runtime.runPromise(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const fetched = Effect.map(
      sql<{ rows: number }>`select (seq_tup_read + idx_tup_fetch)::int as rows
        from pg_stat_xact_user_tables where relname = 'consent_grants'`,
      ([counted]) => counted!.rows
    )
    return yield* sql.withTransaction(Effect.gen(function*() {
      const before = yield* fetched
      const rows = yield* ConsentGrantRepository.make(sql).patients(query)
      return { rows, fetched: (yield* fetched) - before }
    }))
  }))

test.each(["while the planner knows nothing about the tables", "as it knows them"])(
  "A page of a provider's 2,000 patients fetches only a page of grants, newest first, %s",
  async (knowing) => {
    if (knowing === "as it knows them") await superuser.query("analyze")
    // After five executions of a statement, PostgreSQL may use one plan for all values. Eight cover both plans.
    for (let time = 0; time < 8; time++) {
      let after: string | undefined
      let expected = patients
      for (let page = 0; page < 3; page++) {
        const { fetched, rows } = await read({ providerId: provider(1), after, limit: 50 })
        assert.deepStrictEqual(
          rows.map(({ callSign }) => Number(callSign)),
          Array.from({ length: 50 }, () => expected--)
        )
        assert.isAtMost(fetched, 60)
        after = rows.at(-1)!.id
      }
      const { veteranId } = (await read({ providerId: provider(1), after, limit: 1 })).rows[0]!
      const one = await read({ providerId: provider(1), veteranId, after: undefined, limit: 100 })
      assert.deepStrictEqual(one.rows.map(({ callSign }) => callSign), [`${expected}`])
      if (knowing === "as it knows them") assert.isAtMost(one.fetched, 2)
    }
  }
)
