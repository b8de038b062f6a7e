import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"

export const DocumentRow = Schema.Struct({
  id: Schema.String,
  veteranId: Schema.String,
  kind: Schema.Literals(["roi", "upload"]),
  title: Schema.Uint8Array,
  contentType: Schema.String,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array,
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  signedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  authorizationSha256: Schema.NullOr(Schema.Uint8Array),
  endsAt: Schema.NullOr(Schema.Date),
  revokedAt: Schema.NullOr(Schema.Date),
  supersededBy: Schema.NullOr(Schema.String),
  releaseStatus: Schema.NullOr(Schema.Literals(["in_force", "expired", "revoked", "superseded"]))
})

export type DocumentRow = typeof DocumentRow.Type

/** Of `documents d` and, where the veteran ended it, `roi_revocations r`. */
const selected = (sql: SqlClient.SqlClient) =>
  sql`select d.id, d.veteran_id, d.kind, d.title, d.content_type, d.byte_size::int4 as byte_size, d.sha256, d.storage_key,
        d.file_key, d.signed_at, d.created_at, d.authorization_sha256, d.ends_at, r.revoked_at, r.superseded_by,
        case when d.kind = 'upload' then null
             when r.superseded_by is not null then 'superseded'
             when r.revoked_at is not null then 'revoked'
             when d.ends_at <= statement_timestamp() then 'expired'
             else 'in_force' end as release_status
      from documents d
        left join roi_revocations r on r.veteran_id = d.veteran_id and r.document_id = d.id`

/** Newest first. */
export const list = Effect.fnUntraced(function*(page: PageQuery & { readonly veteranId: string }) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findAll({
    Request: Schema.Any,
    Result: DocumentRow,
    execute: ({ after, limit, veteranId }: typeof page) =>
      sql`${selected(sql)}
          where d.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or d.id < ${after ?? null})
          order by d.id desc limit ${limit}`
  })(page)
})

/** Those of the ids that there are for the actor. */
export const findAll = Effect.fnUntraced(function*(veteranId: string, ids: ReadonlyArray<string>) {
  const sql = yield* ActorTransaction
  return yield* SqlSchema.findAll({
    Request: Schema.Void,
    Result: DocumentRow,
    execute: () => sql`${selected(sql)} where d.veteran_id = ${veteranId} and d.id = any (${ids}::uuid[])`
  })(undefined)
})

export const find = (veteranId: string, id: string) => Effect.map(findAll(veteranId, [id]), ([row]) => row)

const RecipientCopyRow = Schema.Struct({
  id: Schema.String,
  veteranId: Schema.String,
  signedAt: Schema.Date,
  authorizationCiphertext: Schema.Uint8Array,
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array,
  moment: Schema.Date
})

/** For a recipient: the one document of their link, while it is live. */
export const findRecipientCopy = Effect.fnUntraced(function*(veteranId: string) {
  const sql = yield* ActorTransaction
  const rows = yield* SqlSchema.findAll({
    Request: Schema.Void,
    Result: RecipientCopyRow,
    execute: () =>
      sql`select id, veteran_id, signed_at, authorization_ciphertext, recipient_storage_key as storage_key,
            recipient_file_key as file_key, recipient_byte_size::int4 as byte_size, recipient_sha256 as sha256,
            statement_timestamp() as moment
          from documents where veteran_id = ${veteranId}`
  })(undefined)
  return rows[0]
})

/** What each document has. */
interface NewDocument {
  readonly id: string
  readonly veteranId: string
  readonly title: Uint8Array
  readonly contentType: string
  readonly byteSize: number
  readonly sha256: Uint8Array
  readonly storageKey: string
  readonly fileKey: Uint8Array
}

export interface NewRelease extends NewDocument {
  readonly signedAt: Date
  readonly endsAt: Date
  readonly authorizationCiphertext: Uint8Array
  readonly authorizationSha256: Uint8Array
  readonly releasedDocuments: ReadonlyArray<string>
  readonly recipientStorageKey: string
  readonly recipientFileKey: Uint8Array
  readonly recipientByteSize: number
  readonly recipientSha256: Uint8Array
}

export const insertUpload = Effect.fnUntraced(function*(upload: NewDocument) {
  const sql = yield* ActorTransaction
  yield* sql`insert into documents ${sql.insert({ kind: "upload", ...upload })}`
})

export const insertRelease = Effect.fnUntraced(function*({ releasedDocuments, ...release }: NewRelease) {
  const sql = yield* ActorTransaction
  yield* sql`insert into documents ${
    sql.insert({ kind: "roi", ...release, releasedDocuments: `{${releasedDocuments.join()}}` })
  }`
})

/**
 * Deletes a document that no release in force needs, and tells its files. None: there is such a release, the document
 * itself or one that names it. Under the veteran's lock, which whoever signs takes too.
 */
export const remove = Effect.fnUntraced(function*(veteranId: string, id: string) {
  const sql = yield* ActorTransaction
  const removed = yield* SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: Schema.Struct({ storageKey: Schema.String, recipientStorageKey: Schema.NullOr(Schema.String) }),
    execute: () =>
      sql`delete from documents d where d.veteran_id = ${veteranId} and d.id = ${id}
            and not exists (
              select from documents r where r.veteran_id = d.veteran_id and (r.id = d.id or d.id = any (r.released_documents))
                and app.in_force(r)
            )
          returning d.storage_key, d.recipient_storage_key`
  })(undefined)
  return removed
})

/** Ends a release that is in force; false: it is not. `supersededBy` is the release that replaces it. */
export const endRelease = Effect.fnUntraced(function*(veteranId: string, id: string, supersededBy: string | null) {
  const sql = yield* ActorTransaction
  const ended = yield* sql`insert into roi_revocations (veteran_id, document_id, superseded_by)
    select d.veteran_id, d.id, ${supersededBy}::uuid from documents d
    where d.veteran_id = ${veteranId} and d.id = ${id} and app.in_force(d)
    on conflict do nothing returning document_id`
  return ended.length > 0
})
