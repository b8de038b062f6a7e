import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { ActorTransaction } from "./Actor.ts"
import type { PageQuery } from "./Page.ts"

export const DocumentRow = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["roi", "upload"]),
  title: Schema.String,
  contentType: Schema.String,
  byteSize: Schema.Int,
  createdAt: Schema.Date
})

/** Newest first, without the file. */
export const list = Effect.fnUntraced(function*(page: PageQuery & { readonly veteranId: string }) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findAll({
    Request: Schema.Any,
    Result: DocumentRow,
    execute: ({ after, limit, veteranId }: typeof page) =>
      sql`select id, kind, title, content_type, byte_size::int4 as byte_size, created_at from documents
          where veteran_id = ${veteranId} and (${after ?? null}::uuid is null or id < ${after ?? null})
          order by id desc limit ${limit}`
  })(page)
})
