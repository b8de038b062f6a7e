import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"

const NoteRow = Schema.Struct({
  id: Schema.String,
  veteranId: Schema.String,
  providerId: Schema.String,
  providerName: Schema.String,
  bodyCiphertext: Schema.Uint8Array,
  createdAt: Schema.Date
})

/** Newest first: all of them for the veteran, a provider's own for that provider (row-level security). */
export const list = Effect.fnUntraced(function*(page: PageQuery & { readonly veteranId: string }) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findAll({
    Request: Schema.Any,
    Result: NoteRow,
    execute: ({ after, limit, veteranId }: typeof page) =>
      sql`select n.*, p.display_name as provider_name
          from provider_notes n join providers p on p.id = n.provider_id
          where n.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or n.id < ${after ?? null})
          order by n.id desc limit ${limit}`
  })(page)
})

export const insert = Effect.fnUntraced(function*(
  note: {
    readonly id: string
    readonly veteranId: string
    readonly providerId: string
    readonly bodyCiphertext: Uint8Array
  }
) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findOne({
    Request: Schema.Any,
    Result: NoteRow,
    execute: (row: typeof note) =>
      sql`with n as (insert into provider_notes ${sql.insert({ ...row })} returning *)
          select n.*, p.display_name as provider_name from n join providers p on p.id = n.provider_id`
  })(note)
})
