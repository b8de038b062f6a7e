import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { VeteranId } from "../../domain/Id.ts"
import { all, asActor } from "../Rows.ts"

const VeteranRow = Schema.Struct({ id: VeteranId })

const SampleRow = Schema.Struct({ row: Schema.Array(Schema.String), sealed: Schema.Uint8Array })

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns the first and last `count` veterans, whose values are sealed under the oldest and the newest keys. */
  someVeterans: (count: number) =>
    all(
      VeteranRow,
      sql`(select id from veterans order by id limit ${count}) union (select id from veterans order by id desc limit ${count})`
    ),
  veteransAfter: (id: string, count: number) =>
    all(VeteranRow, sql`select id from veterans where id > ${id} order by id limit ${count}`)
})

/** Reads, as the veteran, some values of a sealed column with their rows' keys. It skips values of 256 KiB or more. */
export const sample = (
  veteranId: VeteranId,
  at: { readonly table: string; readonly column: string; readonly row: ReadonlyArray<string> },
  count: number
) =>
  asActor.all(SampleRow, (sql) => {
    const names = at.row.map((name) => `${name}::text`).join(", ")
    return sql`
      select array[${sql.literal(names)}] as row, ${sql(at.column)} as sealed from ${sql(at.table)}
      where veteran_id = ${veteranId} and ${sql(at.column)} is not null and octet_length(${sql(at.column)}) < 262144
      limit ${count}`
  })
