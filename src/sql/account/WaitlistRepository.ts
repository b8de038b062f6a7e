import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"

const SignupRow = Schema.Struct({ id: Schema.String, email: Schema.String, createdAt: Schema.Date })

export const make = (sql: SqlClient.SqlClient) => {
  const insert = SqlSchema.findOneOption({
    Request: Schema.Struct({ id: Schema.String, email: Schema.String }),
    Result: SignupRow,
    execute: (row) =>
      sql`with added as (
            insert into waitlist_signups ${sql.insert(row)} on conflict ((lower(email))) do nothing returning *
          ), told as (
            insert into outbox (kind, subject_id) select 'waitlist_joined', id from added
          )
          select * from added`
  })
  const list = SqlSchema.findAll({
    Request: Schema.Any,
    Result: SignupRow,
    execute: ({ after, limit }: PageQuery) =>
      sql`select * from waitlist_signups
          where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
  })
  return {
    /** None: signed up before. The administrator is told of others, by the outbox. */
    insert: (row: Parameters<typeof insert>[0]) => atEdge(insert(row)),
    list: (page: PageQuery) => atEdge(list(page))
  }
}
