import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, test } from "vitest"
import { atEdge, DatabaseUnavailable } from "../../src/sql/Connections.ts"
import { openDatabase } from "../support/App.ts"
import { sqlOf } from "../support/Pool.ts"

const database = await openDatabase()

/** Returns whether `atEdge` reports an outage on a session whose limit of this name is 100 ms. */
const isOutage = async (ask: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>, limit?: string) => {
  const asking = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    if (limit !== undefined) yield* sql.unsafe(`set ${limit} = '100ms'`)
    yield* atEdge(ask(sql))
  })
  const exit = await Effect.runPromise(Effect.exit(asking).pipe(Effect.provide(sqlOf(database))))
  assert.isTrue(Exit.isFailure(exit))
  return Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof DatabaseUnavailable
}

const raise = (code: string) => (sql: SqlClient.SqlClient) =>
  sql.unsafe(`do $$ begin raise exception using errcode = '${code}', message = 'x'; end $$`)

describe("At the edge of a repository", () => {
  test.each([
    "0A000",
    "08006",
    "08P01",
    "25006",
    "25P03",
    "25P04",
    "28000",
    "28P01",
    "3D000",
    "40001",
    "40P01",
    "53100",
    "53200",
    "53300",
    "53400",
    "55P03",
    "57014",
    "57P01",
    "57P02",
    "57P03",
    "57P05",
    "58000",
    "58030"
  ])("%s is an outage", async (code) => {
    assert.isTrue(await isOutage(raise(code)))
  })

  test.each(["22012", "22P02", "23505", "23514", "25001", "25P01", "25P02", "42501", "42P01", "P0001", "XX000"])(
    "%s is a defect",
    async (code) => {
      assert.isFalse(await isOutage(raise(code)))
    }
  )

  test("a statement whose table got a column since it was prepared is an outage once, in a transaction too", async () => {
    const owner = await database.connect("owner")
    const read = (sql: SqlClient.SqlClient) => sql.withTransaction(sql`select * from waitlist_signups`)
    const widen = Effect.promise(() => owner.query("alter table waitlist_signups add column later text"))
    const again = (sql: SqlClient.SqlClient) => Effect.andThen(read(sql), Effect.andThen(widen, read(sql)))
    assert.isTrue(await isOutage(again))
    const repeated = (sql: SqlClient.SqlClient) =>
      Effect.andThen(
        Effect.exit(again(sql)),
        Effect.andThen(read(sql), Effect.fail("It was read in the end."))
      )
    await owner.query("alter table waitlist_signups drop column later")
    assert.isFalse(await isOutage(repeated))
  })

  test("a transaction that was idle for too long is an outage, whichever error the driver reports", async () => {
    const idle = (sql: SqlClient.SqlClient) =>
      sql.withTransaction(Effect.andThen(Effect.andThen(sql`select 1`, Effect.sleep("500 millis")), sql`select 1`))
    assert.isTrue(await isOutage(idle, "idle_in_transaction_session_timeout"))
  })

  test("a transaction that took too long, or that an administrator ended, is an outage", async () => {
    assert.isTrue(await isOutage((sql) => sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)`))
    const long = (sql: SqlClient.SqlClient) => sql.withTransaction(sql`select pg_sleep(5)`)
    assert.isTrue(await isOutage(long, "transaction_timeout"))
    assert.isTrue(await isOutage(long, "statement_timeout"))
  })
})
