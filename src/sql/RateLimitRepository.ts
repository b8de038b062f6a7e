import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { atEdge } from "./Statements.ts"

export const make = (sql: SqlClient.SqlClient) => {
  const spendPermits = SqlSchema.findOne({
    Request: Schema.Any,
    Result: Schema.Struct({ granted: Schema.Int, retryAfter: Schema.Finite }),
    execute: (
      { key, permits, seconds, wanted }: {
        readonly key: Uint8Array
        readonly permits: number
        readonly seconds: number
        readonly wanted: number
      }
    ) => sql`select * from app.spend_permits(${key}, ${permits}, ${seconds}, ${wanted})`
  })
  return {
    /** How many of `wanted` were granted; with none, after how many seconds one may be. */
    spendPermits: (
      key: Uint8Array,
      limit: { readonly permits: number; readonly seconds: number },
      wanted: number
    ) => atEdge(spendPermits({ key, permits: limit.permits, seconds: limit.seconds, wanted })),
    /** The longest window is an hour. */
    forgetOld: atEdge(sql`delete from rate_limit_spendings where spent_at < now() - interval '2 hours'`)
  }
}
