import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { VeteranId } from "../../domain/Id.ts"
import { ActorTransaction } from "../Actor.ts"
import { atEdge } from "../Connections.ts"
import { one, values } from "../Rows.ts"

const StoreRow = Schema.Struct({ id: Schema.String, used: Schema.Boolean })

/** Claims files: marks them as needed by the veteran's row that the same transaction writes. */
export const claim = (veteranId: VeteranId, storageKeys: ReadonlyArray<string>) =>
  ActorTransaction.use((sql) =>
    sql`insert into stored_files (storage_key, veteran_id) select unnest(${storageKeys}::text[]), ${veteranId}::uuid`
  )

/** Removes the claims of a row that the same transaction deleted. */
export const unclaim = (storageKeys: ReadonlyArray<string>) =>
  ActorTransaction.use((sql) => sql`delete from stored_files where storage_key = any (${storageKeys}::text[])`)

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns the id that UPLOAD_DIR's file `database-id` must hold, and whether any row needs a stored file. */
  store: one(StoreRow, sql`select id, exists (select from stored_files) as used from file_store`),
  /** Returns, in order, the names of up to `count` files that rows need, beginning at the name `from`. */
  keysFrom: (from: string, count: number) =>
    values(
      Schema.String,
      sql`select storage_key from stored_files where storage_key >= ${from} order by storage_key limit ${count}`
    ),
  /** Returns the subset of these files that rows need. */
  claimed: (storageKeys: ReadonlyArray<string>) =>
    values(Schema.String, sql`select storage_key from stored_files where storage_key = any (${storageKeys}::text[])`),
  /** Returns some of the files whose rows have ended. They are removed from the disk first, and then forgotten. */
  ended: values(
    Schema.String,
    sql`select storage_key from stored_files where ended_at is not null order by ended_at limit 500`
  ),
  forget: (storageKeys: ReadonlyArray<string>) =>
    atEdge(sql`delete from stored_files where storage_key = any (${storageKeys}::text[]) and ended_at is not null`)
})
