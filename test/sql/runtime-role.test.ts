import { assert, beforeEach, describe, test } from "vitest"
import { openFilled } from "./Filled.ts"
import { everything, protectedTables, providers, rows, veterans } from "./Rows.ts"
import { provider, seen, state, veteran } from "./Stated.ts"

const { database, runtime, superuser } = await openFilled()

await superuser.query("analyze")

beforeEach(async () => {
  await runtime.query("rollback")
  await runtime.query("discard all")
})

const codeOf = (statement: string, values: Array<unknown> = []) =>
  runtime.query(statement, values).then(() => undefined, (error: { readonly code: string }) => error.code)

const countOf = async (table: string) => Number((await runtime.query(`select count(*) from ${table}`)).rows[0].count)

/** Returns what the connection sees in a new transaction, in which no actor is set. */
const seenAfterwards = async () => {
  await runtime.query("begin")
  const names = await seen(runtime)
  await runtime.query("rollback")
  return names
}

describe("An actor set earlier on a connection", () => {
  test.each(["commit", "rollback"])("is gone after %s", async (end) => {
    await runtime.query("begin")
    await state(runtime, veteran("A"))
    assert.deepStrictEqual(await seen(runtime), everything("A"))
    await runtime.query(end)
    assert.deepStrictEqual(await seenAfterwards(), [])
  })

  test("is gone after an error in the transaction", async () => {
    await runtime.query("begin")
    await state(runtime, veteran("A"))
    assert.strictEqual(await codeOf("select 1/0"), "22012")
    assert.strictEqual(await codeOf("select from documents"), "25P02")
    await runtime.query("commit")
    assert.deepStrictEqual(await seenAfterwards(), [])
  })

  test("is restored by a rollback to a savepoint that was set before the next actor", async () => {
    await runtime.query("begin")
    await state(runtime, veteran("A"))
    await runtime.query("savepoint within")
    await state(runtime, veteran("B"))
    await runtime.query("rollback to savepoint within")
    assert.deepStrictEqual(await seen(runtime), everything("A"))
  })

  test("is gone when another actor is set on the same connection", async () => {
    await runtime.query("begin")
    await state(runtime, provider("everything"))
    await runtime.query("commit")
    await runtime.query("begin")
    await state(runtime, veteran("B"))
    assert.deepStrictEqual(await seen(runtime), everything("B"))
  })

  test("is gone if it was set in a single statement outside a transaction", async () => {
    await state(runtime, veteran("A"))
    assert.strictEqual(await countOf("health_record_items"), 0)
  })
})

describe("The runtime role", () => {
  const refused: ReadonlyArray<readonly [statement: string, code: string]> = [
    ["set role vrss_owner", "42501"],
    ["set role vrss_backup", "42501"],
    ["set role vrss_rotation", "42501"],
    ["set role postgres", "42501"],
    ["set session authorization vrss_owner", "42501"],
    ["alter role vrss_app bypassrls", "42501"],
    ["alter role vrss_app superuser", "42501"],
    ["grant vrss_owner to vrss_app", "42501"],
    ["grant vrss_backup to vrss_app", "42501"],
    ["grant vrss_rotation to vrss_app", "42501"],
    ["select from key_rotations", "42501"],
    ["create role intruder", "42501"],
    ["create schema intruder", "42501"],
    ["create table intruder ()", "42501"],
    ["create table app.intruder ()", "42501"],
    ["create view intruder as select * from health_record_items", "42501"],
    ["create materialized view intruder as select * from health_record_items", "42501"],
    ["create function intruder() returns int language sql return 1", "42501"],
    ["create or replace function app.actor() returns text language sql return 'veteran'", "42501"],
    ["alter function app.active_grants() security invoker", "42501"],
    ["drop function app.active_grants() cascade", "42501"],
    ["create extension dblink", "42501"],
    ["alter database current set row_security = off", "42501"],
    ["alter system set row_security = off", "42501"],
    ["select pg_read_file('/etc/passwd')", "42501"],
    ["copy (select 1) to program 'true'", "42501"],
    ["set session_replication_role = replica", "42501"],
    ["update consent_grants set provider_id = id", "42501"],
    ["update consent_grants set expires_at = now() + interval '1 year'", "42501"],
    ["delete from consent_grants", "42501"],
    ...protectedTables.flatMap((table) =>
      [
        [`alter table ${table} disable row level security`, "42501"],
        [`alter table ${table} no force row level security`, "42501"],
        [`alter table ${table} owner to vrss_app`, "42501"],
        [`create policy intruder on ${table} using (true)`, "42501"],
        [`drop policy backup_reads on ${table}`, "42501"],
        [`create index on ${table} (veteran_id)`, "42501"],
        [
          `create trigger intruder before insert on ${table} for each row execute function app.keep_final_status()`,
          "42501"
        ],
        [`create rule intruder as on select to ${table} do instead select 1`, "42501"],
        [`drop table ${table}`, "42501"],
        [`truncate ${table}`, "42501"],
        [`copy ${table} from stdin`,
          ["email_changes", "endings_told", "health_record_tombstones", "looks_untold", "proofs", "record_looks",
              "veteran_deletions", "veteran_identities", "veteran_notices", "veteran_pairings", "veteran_passkeys",
              "veteran_sessions"]
              .includes(table) ?
            "42501" :
            "0A000"]
      ] as const
    )
  ]

  test.each(refused)("is refused: %s", async (statement, code) => {
    assert.strictEqual(await codeOf(statement.replace("database current", `database ${database.name}`)), code)
  })

  test.each(protectedTables)("may not read %s with row_security turned off", async (table) => {
    await runtime.query("set row_security = off")
    assert.strictEqual(await codeOf(`select from ${table}`), "42501")
  })
})

describe("Another veteran's row", () => {
  test("is never tested against a condition of the query", async () => {
    await runtime.query("begin")
    await state(runtime, veteran("A"))
    assert.strictEqual(
      await codeOf(`select from documents where 1 / (case when veteran_id = '${veterans.B}' then 0 else 1 end) = 1`),
      undefined
    )
    assert.strictEqual(
      await codeOf(`select from documents where 1 / (case when veteran_id = '${veterans.A}' then 0 else 1 end) = 1`),
      "22012"
    )
  })

  test("is hidden from COPY as it is from SELECT", async () => {
    await runtime.query("begin")
    await state(runtime, veteran("A"))
    const { rowCount } = await runtime.query("select from documents")
    assert.isAbove(rowCount!, 0)
    assert.strictEqual((await runtime.query("copy documents to stdout")).rowCount, rowCount)
    await runtime.query("commit")
    assert.strictEqual((await runtime.query("copy documents to stdout")).rowCount, 0)
  })

  test("does not appear in the planner's statistics, which are hidden for the protected tables", async () => {
    const statistics = "select from pg_stats where tablename = any ($1)"
    assert.isAbove((await superuser.query(statistics, [protectedTables])).rowCount!, 0)
    assert.strictEqual((await runtime.query(statistics, [protectedTables])).rowCount, 0)
    assert.strictEqual(await codeOf("select from pg_statistic"), "42501")
  })

  test("stays hidden if a temporary table has the name of a table that a policy reads", async () => {
    await superuser.query(`grant temporary on database ${database.name} to vrss_app`)
    await runtime.query("begin")
    await runtime.query("create temporary table consent_grants (like public.consent_grants)")
    await runtime.query(
      "insert into pg_temp.consent_grants select * from public.consent_grants where status = 'active'"
    )
    await runtime.query("update pg_temp.consent_grants set provider_id = $1", [providers.nothing])
    assert.deepStrictEqual(await seen(runtime, provider("nothing")), [])
  })
})

describe("Within a provider's open transaction", () => {
  const change = async (statement: string, ...values: ReadonlyArray<unknown>) => {
    const other = await database.connect("runtime")
    return (await other.query(statement, [...values])).rowCount
  }
  const before = ["A Condition", "A count of Condition", "A look of conditions", "A note conditions"]

  test("a grant that is given or revoked meanwhile takes effect with the next statement", async () => {
    const grant = rows.get("B upload")!
    await runtime.query("begin")
    await state(runtime, provider("nothing"))
    assert.deepStrictEqual(await seen(runtime), [])
    await change(
      `insert into consent_grants (id, veteran_id, provider_id, resource_types, sensitive_categories, include_self_reported,
         include_documents, purpose, expires_at) values ($1, $2, $3, '{Observation}', '{}', false, true, 'x', now() + interval '1 hour')`,
      grant,
      veterans.A,
      providers.nothing
    )
    assert.deepStrictEqual(await seen(runtime), ["A Observation", "A count of Observation", "A look of nothing",
      "A note nothing", "A upload"])
    assert.strictEqual(
      await change("update consent_grants set status = 'revoked', revoked_at = now() where id = $1", grant),
      1
    )
    assert.deepStrictEqual(await seen(runtime), [])
  })

  test("a provider who is disabled meanwhile sees nothing from the next statement on", async () => {
    await runtime.query("begin")
    await state(runtime, provider("conditions"))
    assert.deepStrictEqual(await seen(runtime), before)
    await change("update providers set disabled_at = now() where id = $1", providers.conditions)
    assert.deepStrictEqual(await seen(runtime), [])
    await change("update providers set disabled_at = null where id = $1", providers.conditions)
    assert.deepStrictEqual(await seen(runtime), before)
  })

  test("a grant that expires meanwhile has no effect from the next statement on", async () => {
    const set =
      "update consent_grants set expires_at = clock_timestamp() + $2::interval where provider_id = $1 returning expires_at::text"
    await runtime.query("begin")
    await state(runtime, provider("conditions"))
    await superuser.query(set, [providers.conditions, "5 seconds"])
    assert.deepStrictEqual(await seen(runtime), before)
    const { rows: [{ expires_at }] } = await superuser.query(set, [providers.conditions, "100 milliseconds"])
    await superuser.query("select pg_sleep_until($1)", [expires_at])
    assert.deepStrictEqual(await seen(runtime), [])
    await superuser.query(set, [providers.conditions, "1 hour"])
  })
})

describe("A grant's status", () => {
  test.each(["revoked", "expired"])("is final once it is %s", async (status) => {
    const grants = "select id from consent_grants where status = $1 limit 1"
    const { rows: [{ id }] } = await runtime.query(grants, [status])
    for (const next of ["active", "revoked", "expired"]) {
      const revokedAt = next === "revoked" ? new Date() : null
      assert.strictEqual(
        await codeOf("update consent_grants set status = $2, revoked_at = $3 where id = $1", [id, next, revokedAt]),
        "23514"
      )
    }
  })
})

test("vrss_backup reads every row of every table, including the protected ones", async () => {
  const tables = await superuser.query<{ readonly name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
  )
  const counts = async () => {
    const counted: Array<readonly [string, number]> = []
    for (const { name } of tables.rows) {
      counted.push([name, Number((await superuser.query(`select count(*) from ${name}`)).rows[0].count)])
    }
    return counted
  }
  const all = await counts()
  await superuser.query("set role vrss_backup")
  assert.deepStrictEqual(await counts(), all)
  await superuser.query("reset role")
  assert.isAtLeast(all.filter(([, count]) => count > 0).length, 7)
})

test("Events are found by what they are about for their veteran alone", async () => {
  const subject = Buffer.alloc(16, 7)
  await superuser.query("set session_replication_role = replica")
  await superuser.query(
    `update proofs set leaf_ciphertext = '\\x00', event = null, tree_index = 0, leaf_hash = sha256(''),
       subject_hashes = $2 where veteran_id = $1`,
    [veterans.A, subject]
  )
  await superuser.query("reset session_replication_role")
  const found = async (stated?: Parameters<typeof state>[1]) => {
    await runtime.query("begin")
    if (stated !== undefined) await state(runtime, stated)
    const { rowCount } = await runtime.query(
      `select from app.events_about($1, null, $2::text[],
         '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 100)`,
      [[subject], kinds]
    )
    await runtime.query("rollback")
    return rowCount
  }
  const { rows: [{ kinds, own }] } = await superuser.query(
    "select array_agg(distinct kind) as kinds, count(*)::int as own from proofs where veteran_id = $1",
    [veterans.A]
  )
  assert.isAbove(own, 0)
  assert.strictEqual(await found(veteran("A")), own)
  for (const other of [undefined, veteran("B"), provider("everything"), { actor: "app", veteran_id: veterans.A }]) {
    assert.strictEqual(await found(other), 0)
  }
})
