import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { PageQuery } from "../Page.ts"
import { all, option } from "../Rows.ts"

const SignupRow = Schema.Struct({ id: Schema.String, email: Schema.String, createdAt: Schema.Date })

const RemovedRow = Schema.Struct({ id: Schema.String })

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns None if the e-mail signed up before. A new sign-up puts a mail to the administrator into the outbox. */
  insert: (signup: { readonly id: string; readonly email: string }) =>
    option(
      SignupRow,
      sql`with added as (
            insert into waitlist_signups ${
        sql.insert({ ...signup })
      } on conflict ((lower(email))) do nothing returning *
          ), told as (
            insert into outbox (kind, subject_id) select 'waitlist_joined', id from added
          )
          select * from added`
    ),
  /** Returns None if there is no such sign-up. */
  remove: (id: string) => option(RemovedRow, sql`delete from waitlist_signups where id = ${id} returning id`),
  list: ({ after, limit }: PageQuery) =>
    all(
      SignupRow,
      sql`select * from waitlist_signups
          where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
    )
})
