import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor, one } from "../Rows.ts"

/** Size of a veteran's items in bytes, as migrations/025 counts it. */
export const RecordSize = Schema.Struct({ active: Schema.Finite, inactive: Schema.Finite })

export type RecordSize = typeof RecordSize.Type

/** Returns the size with this transaction's writes. The veteran's lock keeps other transactions from changing it. */
export const size = (veteranId: VeteranId) =>
  asActor.one(
    RecordSize,
    (sql) =>
      sql`select coalesce(sum(active_bytes), 0)::float8 as active, coalesce(sum(inactive_bytes), 0)::float8 as inactive
        from health_record_sizes where veteran_id = ${veteranId}`
  )

/** Removes the veteran's inactive items, longest inactive first, until it has freed `bytes` bytes or none is left. */
export const removeInactive = (bytes: number) =>
  asActor.value(Schema.Int, (sql) => sql`select app.make_room(${bytes}::bigint) as items`)

const CountedRow = Schema.Struct({ found: Schema.Boolean })

/** Returns whether the table exists: the doctor also examines databases that have not been migrated. */
export const counted = (sql: SqlClient.SqlClient) =>
  one(CountedRow, sql`select to_regclass('health_record_sizes') is not null as found`)

const FullestRow = Schema.Struct({ active: Schema.Finite, near: Schema.Int })

/** Returns the active bytes of the largest record, and the number of records with more than `near` bytes. */
export const fullest = (sql: SqlClient.SqlClient, near: number) =>
  one(
    FullestRow,
    sql`select coalesce(max(active_bytes), 0)::float8 as active, count(*) filter (where active_bytes > ${near})::int as near
        from health_record_sizes`
  )
