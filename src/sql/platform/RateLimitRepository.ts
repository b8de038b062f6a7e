import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { atEdge } from "../Connections.ts"
import { one, together } from "../Rows.ts"

const SpentRow = Schema.Struct({ granted: Schema.Int, retryAfter: Schema.Finite, moment: Schema.String })

interface Spending {
  readonly key: Uint8Array
  readonly permits: number
  readonly seconds: number
  readonly wanted: number
}

export const make = (sql: SqlClient.SqlClient) => ({
  /** Answers how many of `wanted` were granted; with none, after how many seconds one may be. */
  spendPermits: ({ key, permits, seconds, wanted }: Spending) =>
    one(
      SpentRow,
      sql`select granted, retry_after, moment::text from app.spend_permits(${key}, ${permits}, ${seconds}, ${wanted})`
    ),
  /**
   * The same for a lease, together with the others of its turn. The rows of `unnest` come one after the other, so that the
   * locks are taken in the order of the keys by every process: nobody waits for who waits for it. What is spent by one
   * address or e-mail, which a crowd may contend for, keeps no lease waiting.
   */
  lease: together(SpentRow, (spendings: ReadonlyArray<Spending>) => {
    const column = <A>(oid: number, value: (spending: Spending) => A) =>
      Result.getOrThrow(PgTypes.array(spendings.map(value), oid))
    const { bytea, float8, int4 } = PgTypes.OID
    return sql`
      select spent.granted, spent.retry_after, spent.moment::text
      from unnest(${column(bytea, ({ key }) => key)}::bytea[], ${column(int4, ({ permits }) => permits)}::int[],
                  ${column(float8, ({ seconds }) => seconds)}::float8[], ${column(int4, ({ wanted }) => wanted)}::int[])
             as asked (key, permits, seconds, wanted)
           cross join lateral app.spend_permits(asked.key, asked.permits, asked.seconds, asked.wanted) as spent`
  }, (one, other) => Buffer.compare(one.key, other.key)),
  /** Gives back permits of a spending that granted more than these. */
  giveBack: (key: Uint8Array, moment: string, permits: number) =>
    atEdge(sql`update rate_limit_spendings set permits = permits - ${permits}
               where key = ${key} and spent_at = ${moment}::timestamptz`)
})
