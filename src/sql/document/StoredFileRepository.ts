import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import { atEdge } from "../Connections.ts"

/** Claims files for the row that the same transaction writes. */
export const claim = Effect.fnUntraced(function*(storageKeys: ReadonlyArray<string>) {
  const sql = yield* ActorTransaction
  yield* sql`insert into stored_files (storage_key) select unnest(${storageKeys}::text[])`
})

/** Gives up the claims of the row that the same transaction deleted. */
export const release = Effect.fnUntraced(function*(storageKeys: ReadonlyArray<string>) {
  const sql = yield* ActorTransaction
  yield* sql`delete from stored_files where storage_key = any (${storageKeys}::text[])`
})

export const make = (sql: SqlClient.SqlClient) => {
  const claimed = SqlSchema.findAll({
    Request: Schema.Any,
    Result: Schema.Struct({ storageKey: Schema.String }),
    execute: (storageKeys: ReadonlyArray<string>) =>
      sql`select storage_key from stored_files where storage_key = any (${storageKeys}::text[])`
  })
  return {
    /** Of these files those that a row needs. */
    claimed: (storageKeys: ReadonlyArray<string>) =>
      Effect.map(atEdge(claimed(storageKeys)), (rows) => rows.map(({ storageKey }) => storageKey))
  }
}
