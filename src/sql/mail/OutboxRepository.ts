import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { atEdge } from "../Connections.ts"
import { one, option } from "../Rows.ts"

export const mailKinds = ["link_opened", "link_viewed", "link_locked", "waitlist_joined"] as const

export type OutboxKind = typeof mailKinds[number] | "checkpoint_signed"

const OutboxRow = <Kind extends OutboxKind>(kinds: ReadonlyArray<Kind>) =>
  Schema.Struct({
    id: Schema.String,
    kind: Schema.Literals(kinds),
    subjectId: Schema.String,
    createdAt: Schema.Date,
    attempts: Schema.Int
  })

export type OutboxRow<Kind extends OutboxKind> = ReturnType<typeof OutboxRow<Kind>>["Type"]

const WaitingRow = Schema.Struct({ mails: Schema.Int, oldestSeconds: Schema.Finite })

export type Waiting = typeof WaitingRow.Type

const AddressRow = Schema.Struct({ email: Schema.String })

export const make = (sql: SqlClient.SqlClient) => ({
  /** None of these kinds is due. */
  taking: <Kind extends OutboxKind>(kinds: ReadonlyArray<Kind>) =>
    option(
      OutboxRow(kinds),
      sql`select id, kind, subject_id, created_at, attempts from app.take_message(${kinds}::text[])`
    ),
  waiting: one(
    WaitingRow,
    sql`select count(*)::int as mails, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
        as oldest_seconds from outbox`
  ),
  /** The mail is due again after 15 seconds, then 30, and so on up to an hour. */
  postpone: (id: string) =>
    atEdge(sql`update outbox
      set due_at = clock_timestamp() + least(interval '15 seconds' * 2 ^ least(attempts - 1, 8), interval '1 hour')
      where id = ${id}`),
  remove: (id: string) => atEdge(sql`delete from outbox where id = ${id}`),
  /** None: what the mail is about is gone. */
  veteranOfLink: (linkId: string) =>
    option(
      AddressRow,
      sql`select v.email from secure_links l join veterans v on v.id = l.veteran_id where l.id = ${linkId}`
    ),
  /** None: what the mail is about is gone. */
  signup: (id: string) => option(AddressRow, sql`select email from waitlist_signups where id = ${id}`)
})
