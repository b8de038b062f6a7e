import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, describe, test } from "vitest"
import { connection } from "../../src/layers/Connection.ts"
import * as DatabaseGuard from "../../src/sql/DatabaseGuard.ts"
import { openDatabase } from "../support/App.ts"
import type { Role } from "../support/Database.ts"

const database = await openDatabase()

const connect = (role: Role) => {
  const { user, ...at } = connection(Redacted.make(database.url(role)), {
    production: false,
    caCertificate: database.caCertificate
  })
  const runtime = ManagedRuntime.make(PgClient.layer({ ...at, username: user, maxConnections: 1 }))
  afterAll(runtime.dispose)
  return runtime
}

const superuser = connect("superuser")

const runtime = connect("runtime")

/** Answers the guard's findings for a role after some changes, all of which are undone. */
const problems = (role: string, changes: ReadonlyArray<string> = [], production = true) =>
  superuser.runPromise(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const found = yield* Effect.flip(sql.withTransaction(Effect.gen(function*() {
      for (const change of changes) yield* sql.unsafe(change)
      yield* sql.unsafe(`set local role ${role}`)
      return yield* Effect.fail(yield* DatabaseGuard.problems(sql, production))
    })))
    // Whether a connection is encrypted is shown to the role that signed in alone.
    return (found as ReadonlyArray<string>).filter((problem) => problem !== "The database connection is not encrypted.")
  }))

const instead = "connect the runtime pool (DATABASE_APP_URL) as an ordinary role that owns no table"

describe("the guard of row-level security", () => {
  test.each([true, false])("finds nothing wrong with the runtime role (production: %s)", async (production) => {
    const found = Effect.flatMap(SqlClient.SqlClient, (sql) => DatabaseGuard.problems(sql, production))
    assert.deepStrictEqual(await runtime.runPromise(found), [])
  })

  test.each([true, false])("refuses a superuser (production: %s)", async (production) => {
    const [first] = await problems("postgres", [], production)
    assert.strictEqual(
      first,
      `The runtime role postgres is a superuser, for whom row-level security does not hold: ${instead}.`
    )
  })

  const member = "create role intruder in role vrss_runtime"
  test.each([
    ["a role with BYPASSRLS", ["create role intruder bypassrls in role vrss_runtime"]],
    ["a member of a role with BYPASSRLS", ["create role strong bypassrls", member, "grant strong to intruder"]],
    [
      "a member of a role with BYPASSRLS that it does not inherit",
      ["create role strong bypassrls", member, "grant strong to intruder with inherit false"]
    ]
  ])("refuses %s", async (_, changes) => {
    for (const production of [true, false]) {
      assert.deepStrictEqual(await problems("intruder", changes, production), [
        `The runtime role intruder may bypass row-level security (BYPASSRLS): ${instead}.`
      ])
    }
  })

  test("refuses a member of the backup role, which sees every row", async () => {
    assert.deepStrictEqual(await problems("vrss_app", ["grant vrss_backup to vrss_app"], false), [
      "The runtime role vrss_app is a member of vrss_backup, which reads every row."
    ])
  })

  test("refuses a role that lacks the rights of the runtime role", async () => {
    assert.deepStrictEqual(await problems("intruder", ["create role intruder"]), [
      "The runtime role intruder is no member of vrss_runtime: run 'grant vrss_runtime to intruder' as the owner."
    ])
  })

  test("refuses the owner of the tables, and a role that may become it, in production alone", async () => {
    const changes = [member, "alter table documents owner to intruder"]
    const found = [`The runtime role intruder owns the table documents: ${instead}.`]
    assert.deepStrictEqual(await problems("intruder", changes), found)
    assert.deepStrictEqual(await problems("intruder", changes, false), [])
    const through = [member, "create role strong", "grant strong to intruder", "alter table documents owner to strong"]
    assert.deepStrictEqual(await problems("intruder", through), found)
  })

  test.each(["documents", "health_record_items", "provider_notes", "self_reported_entries"])(
    "refuses %s when it lacks row-level security, when that is not forced, and when it is missing",
    async (table) => {
      const found = [`Row-level security is not enabled and forced on ${table}.`]
      assert.deepStrictEqual(
        await problems("vrss_app", [`alter table ${table} disable row level security`], false),
        found
      )
      assert.deepStrictEqual(
        await problems("vrss_app", [`alter table ${table} no force row level security`], false),
        found
      )
      assert.deepStrictEqual(await problems("vrss_app", [`drop table ${table} cascade`], false), [
        `The table ${table} is missing: apply the migrations.`
      ])
    }
  )
})
