import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor, option } from "../Rows.ts"

const UsedRow = Schema.Struct({
  /** Uploads and releases are counted in bytes, the others in rows. */
  uploads: Schema.Finite,
  releases: Schema.Finite,
  entries: Schema.Int,
  deletedEntries: Schema.Int,
  notes: Schema.Int
})

export type Used = typeof UsedRow.Type

const none: Used = { uploads: 0, releases: 0, entries: 0, deletedEntries: 0, notes: 0 }

const selected = (sql: SqlClient.SqlClient, veteranId: VeteranId) =>
  sql`select upload_bytes::float8 as uploads, release_bytes::float8 as releases, entries, deleted_entries, notes from storage_used where veteran_id = ${veteranId}`

/**
 * A veteran's stored amounts, including this transaction's writes. A write locks the veteran's row until its
 * transaction ends, so each write sees the amounts of all writes before it.
 */
export const used = (veteranId: VeteranId) =>
  Effect.map(asActor.option(UsedRow, (sql) => selected(sql, veteranId)), Option.getOrElse(() => none))

export const make = (sql: SqlClient.SqlClient) => ({
  used: (veteranId: VeteranId) => Effect.map(option(UsedRow, selected(sql, veteranId)), Option.getOrElse(() => none))
})
