import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { atEdge } from "../Connections.ts"

const OutboxRow = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["link_opened", "link_viewed", "link_locked", "waitlist_joined"]),
  subjectId: Schema.String,
  createdAt: Schema.Date,
  attempts: Schema.Int
})

export type OutboxRow = typeof OutboxRow.Type

export const make = (sql: SqlClient.SqlClient) => {
  const take = SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: OutboxRow,
    execute: () => sql`select id, kind, subject_id, created_at, attempts from app.take_mail()`
  })
  const emailOf = (rows: Effect.Effect<ReadonlyArray<unknown>, never>) =>
    Effect.map(rows, ([row]) => (row as { readonly email: string } | undefined)?.email)
  return {
    /** None is due. */
    take: atEdge(take(undefined)),
    /** After 15 seconds, then 30, and so on up to an hour. */
    postpone: (id: string) =>
      atEdge(sql`update outbox
        set due_at = clock_timestamp() + least(interval '15 seconds' * 2 ^ least(attempts - 1, 8), interval '1 hour')
        where id = ${id}`),
    remove: (id: string) => atEdge(sql`delete from outbox where id = ${id}`),
    /** Undefined: what the mail is about is gone. */
    veteranOfLink: (linkId: string) =>
      emailOf(
        atEdge(sql`select v.email from secure_links l join veterans v on v.id = l.veteran_id where l.id = ${linkId}`)
      ),
    signup: (id: string) => emailOf(atEdge(sql`select email from waitlist_signups where id = ${id}`))
  }
}
