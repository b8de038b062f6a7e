import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { one } from "../Rows.ts"

const SweptRow = Schema.Struct({ rows: Schema.Int })

/** The functions that tidy one kind alone. */
const functionOf: Readonly<Record<string, string>> = {
  "inactive items": "app.sweep_inactive_items",
  "veterans' networks": "app.sweep_veteran_networks"
}

/** Tidies up to `most` rows of what ended at least `after` ago, an interval, and answers how many there were. */
export const sweep = (sql: SqlClient.SqlClient, what: string, after: string, most: number) =>
  Effect.map(
    one(
      SweptRow,
      functionOf[what] !== undefined
        ? sql`select ${sql.literal(functionOf[what])}(${after}::interval, ${most}) as rows`
        : sql`select app.sweep(${what}, ${after}::interval, ${most}) as rows`
    ),
    ({ rows }) => rows
  )
