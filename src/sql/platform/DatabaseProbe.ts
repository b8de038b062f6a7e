import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Has the error code with which a read-only PostgreSQL server refuses a write. */
export class ReadOnly extends Data.TaggedError("ReadOnly") {
  readonly code = "25006"
}

/** Fails if the database cannot be reached, takes no writes, or has no free disk space. */
export const probeDatabase = (sql: SqlClient.SqlClient) =>
  Effect.filterOrFail(
    sql<{ writable: boolean }>`select app.takes_writes() as writable`,
    ([row]) => row!.writable,
    () => new ReadOnly()
  )
