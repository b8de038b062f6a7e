import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Result, Schema } from "effect"
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

/** Spends a permit in the transaction that is open on `sql`. If the transaction is undone, so is the spending. */
export const countAct = (sql: SqlClient.SqlClient, { key, permits, seconds }: Omit<Spending, "wanted">) =>
  Effect.flatMap(
    sql`select granted, retry_after, moment::text from app.count_act(${key}, ${permits}, ${seconds})`,
    ([row]) => Schema.decodeUnknownEffect(SpentRow)(row)
  )

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns how many of the wanted permits were granted and, if none, after how many seconds one may be free. */
  spendPermits: ({ key, permits, seconds, wanted }: Spending) =>
    one(
      SpentRow,
      sql`select granted, retry_after, moment::text from app.spend_permits(${key}, ${permits}, ${seconds}, ${wanted})`
    ),
  /**
   * Spends permits for several keys in one statement. `unnest` keeps the order of the keys: every process locks them in
   * the same order, so no deadlock arises. Keys of an address or e-mail use `spendPermits` instead: many requests may
   * wait for one such key, and would here delay all others.
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
  /** Gives back the unused permits of the spending that this key made at `moment`. */
  giveBack: (key: Uint8Array, moment: string, permits: number) =>
    atEdge(sql`update rate_limit_spendings set permits = permits - ${permits}
               where key = ${key} and spent_at = ${moment}::timestamptz`)
})
