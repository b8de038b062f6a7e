import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor, one } from "../Rows.ts"

/** What a veteran's items take in bytes, as migrations/025 counts them. */
export const RecordSize = Schema.Struct({ active: Schema.Finite, inactive: Schema.Finite })

export type RecordSize = typeof RecordSize.Type

/** Tells the size with what this transaction wrote. The veteran's lock keeps others from changing it. */
export const size = (veteranId: VeteranId) =>
  asActor.one(
    RecordSize,
    (sql) =>
      sql`select coalesce(sum(active_bytes), 0)::float8 as active, coalesce(sum(inactive_bytes), 0)::float8 as inactive
        from health_record_sizes where veteran_id = ${veteranId}`
  )

const RemovedRow = Schema.Struct({ items: Schema.Int })

/** Removes inactive items of the veteran who acts, the longest inactive first, until `bytes` are free or none is left. */
export const removeInactive = (bytes: number) =>
  Effect.map(
    asActor.one(RemovedRow, (sql) => sql`select app.make_room(${bytes}::bigint) as items`),
    ({ items }) => items
  )

const CountedRow = Schema.Struct({ found: Schema.Boolean })

/** Tells whether sizes are counted: the doctor looks at databases that were not migrated, too. */
export const counted = (sql: SqlClient.SqlClient) =>
  one(CountedRow, sql`select to_regclass('health_record_sizes') is not null as found`)

const FullestRow = Schema.Struct({ active: Schema.Finite, near: Schema.Int })

/** Tells how many bytes the active items of the fullest record take, and how many records have more than `near` of them. */
export const fullest = (sql: SqlClient.SqlClient, near: number) =>
  one(
    FullestRow,
    sql`select coalesce(max(active_bytes), 0)::float8 as active, count(*) filter (where active_bytes > ${near})::int as near
        from health_record_sizes`
  )
