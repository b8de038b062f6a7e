import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseGuard from "../../src/sql/DatabaseGuard.ts"
import { atEnd } from "../support/App.ts"
import type { Role, TestDatabase } from "../support/Database.ts"
import { sqlOf } from "../support/Pool.ts"

/** Connects like the service. */
export const connect = (database: TestDatabase, role: Role) => {
  const runtime = ManagedRuntime.make(sqlOf(database, { role }))
  atEnd(runtime.dispose)
  return runtime
}

type Look = (sql: SqlClient.SqlClient, production: boolean) => Effect.Effect<ReadonlyArray<string>, unknown>

/** Returns the guard's findings for a role after some changes, all of which are rolled back. */
export const openGuard = (database: TestDatabase, look: Look = DatabaseGuard.problems) => {
  const superuser = connect(database, "superuser")
  return (role: string, changes: ReadonlyArray<string> = [], production = true) =>
    superuser.runPromise(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const found = yield* Effect.flip(sql.withTransaction(Effect.gen(function*() {
        // The service's driver accepts one statement at a time.
        const statements = changes.flatMap((change) => change.split(";")).filter((statement) => statement.trim() !== "")
        for (const statement of statements) yield* sql.unsafe(statement)
        yield* sql.unsafe(`set local role ${role}`)
        return yield* Effect.fail(yield* look(sql, production))
      })))
      // Only the role that signed in, here the superuser, can see whether its connection is encrypted. So this finding
      // says nothing about `role`.
      const encrypted = "The database connection is not encrypted."
      return (found as ReadonlyArray<string>).filter((problem) => problem !== encrypted)
    }))
}
