import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { atEdge } from "../Connections.ts"
import { one } from "../Rows.ts"

const SpentRow = Schema.Struct({ granted: Schema.Int, retryAfter: Schema.Finite, moment: Schema.String })

export const make = (sql: SqlClient.SqlClient) => ({
  /** Answers how many of `wanted` were granted; with none, after how many seconds one may be. */
  spendPermits: (
    key: Uint8Array,
    { permits, seconds }: { readonly permits: number; readonly seconds: number },
    wanted: number
  ) =>
    one(
      SpentRow,
      sql`select granted, retry_after, moment::text from app.spend_permits(${key}, ${permits}, ${seconds}, ${wanted})`
    ),
  /** Gives back permits of a spending that granted more than these. */
  giveBack: (key: Uint8Array, moment: string, permits: number) =>
    atEdge(sql`update rate_limit_spendings set permits = permits - ${permits}
               where key = ${key} and spent_at = ${moment}::timestamptz`)
})
