import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { all } from "../Rows.ts"

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns false if the assertion was spent before. */
  spend: ({ endsAt, hash }: { readonly hash: Uint8Array; readonly endsAt: Date }) =>
    Effect.map(
      all(
        Schema.Struct({ spent: Schema.Boolean }),
        sql`insert into identity_assertions (hash, expires_at) values (${hash}, ${endsAt})
            on conflict do nothing returning true as spent`
      ),
      (rows) => rows.length > 0
    )
})
