import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { atEdge } from "../Connections.ts"

export const make = (sql: SqlClient.SqlClient) => {
  const spendPermits = SqlSchema.findOne({
    Request: Schema.Any,
    Result: Schema.Struct({ granted: Schema.Int, retryAfter: Schema.Finite, moment: Schema.String }),
    execute: (
      { key, permits, seconds, wanted }: {
        readonly key: Uint8Array
        readonly permits: number
        readonly seconds: number
        readonly wanted: number
      }
    ) =>
      sql`select granted, retry_after, moment::text from app.spend_permits(${key}, ${permits}, ${seconds}, ${wanted})`
  })
  return {
    /** How many of `wanted` were granted; with none, after how many seconds one may be. */
    spendPermits: (
      key: Uint8Array,
      limit: { readonly permits: number; readonly seconds: number },
      wanted: number
    ) => atEdge(spendPermits({ key, permits: limit.permits, seconds: limit.seconds, wanted })),
    /** Of a spending that granted more than `permits`. */
    giveBack: (key: Uint8Array, moment: string, permits: number) =>
      atEdge(sql`update rate_limit_spendings set permits = permits - ${permits}
                 where key = ${key} and spent_at = ${moment}::timestamptz`),
    /** The longest window is an hour. */
    forgetOld: atEdge(sql`delete from rate_limit_spendings where spent_at < now() - interval '2 hours'`)
  }
}
