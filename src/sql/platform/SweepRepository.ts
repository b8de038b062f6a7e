import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { value } from "../Rows.ts"

/** Kinds with a separate SQL function; `app.sweep_sign_ins` or `app.sweep` handles the others. */
const functionOf: Readonly<Record<string, string>> = {
  "e-mail changes": "app.sweep_email_changes",
  "inactive items": "app.sweep_inactive_items",
  "password links": "app.sweep_password_links",
  "veterans' networks": "app.sweep_veteran_networks",
  waitlist: "app.sweep_waitlist"
}

const ofSignIns = ["spent tokens", "pairings", "veteran sessions"]

/** Deletes or expires up to `limit` rows of the kind `what` that ended at least `after` ago. Returns their number. */
export const sweep = (sql: SqlClient.SqlClient, what: string, after: string, limit: number) =>
  value(
    Schema.Int,
    functionOf[what] !== undefined
      ? sql`select ${sql.literal(functionOf[what])}(${after}::interval, ${limit}) as rows`
      : ofSignIns.includes(what)
      ? sql`select app.sweep_sign_ins(${what}, ${after}::interval, ${limit}) as rows`
      : sql`select app.sweep(${what}, ${after}::interval, ${limit}) as rows`
  )
