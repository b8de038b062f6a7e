import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"

const EntryRow = Schema.Struct({
  id: Schema.String,
  veteranId: Schema.String,
  category: Schema.String,
  bodyCiphertext: Schema.Uint8Array,
  occurredOn: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})

interface Entry {
  readonly id: string
  readonly veteranId: string
  readonly category: string
  readonly bodyCiphertext: Uint8Array
  readonly occurredOn: string | null
}

export const list = Effect.fnUntraced(function*(page: PageQuery & { readonly veteranId: string }) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findAll({
    Request: Schema.Any,
    Result: EntryRow,
    execute: ({ after, limit, veteranId }: typeof page) =>
      sql`select * from self_reported_entries
          where veteran_id = ${veteranId} and deleted_at is null and (${after ?? null}::uuid is null or id < ${
        after ?? null
      })
          order by id desc limit ${limit}`
  })(page)
})

export const insert = Effect.fnUntraced(function*(entry: Entry) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findOne({
    Request: Schema.Any,
    Result: EntryRow,
    execute: (row: Entry) => sql`insert into self_reported_entries ${sql.insert({ ...row })} returning *`
  })(entry)
})

/** Takes the row's lock, for a change that follows in the same transaction. */
export const findForUpdate = Effect.fnUntraced(function*(veteranId: string, id: string) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: EntryRow,
    execute: () =>
      sql`select * from self_reported_entries
          where veteran_id = ${veteranId} and id = ${id} and deleted_at is null for update`
  })(undefined)
})

export const update = Effect.fnUntraced(function*(entry: Entry) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findOne({
    Request: Schema.Any,
    Result: EntryRow,
    execute: (row: Entry) =>
      sql`update self_reported_entries
          set category = ${row.category}, body_ciphertext = ${row.bodyCiphertext}, occurred_on = ${row.occurredOn}::date,
              updated_at = now()
          where veteran_id = ${row.veteranId} and id = ${row.id} returning *`
  })(entry)
})

/** None: not there, or deleted before. */
export const remove = Effect.fnUntraced(function*(veteranId: string, id: string) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: Schema.Struct({ id: Schema.String }),
    execute: () =>
      sql`update self_reported_entries set deleted_at = now()
          where veteran_id = ${veteranId} and id = ${id} and deleted_at is null returning id`
  })(undefined)
})
