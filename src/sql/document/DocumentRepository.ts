import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

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

/** Selects from `documents d` and, where the veteran ended it, `roi_revocations r`. */
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

/** The newest come first. */
export const list = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: string }) =>
  asActor.all(DocumentRow, (sql) =>
    sql`${selected(sql)}
        where d.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or d.id < ${after ?? null})
        order by d.id desc limit ${limit}`)

/** Answers those of the ids that there are for the actor. */
export const findAll = (veteranId: string, ids: ReadonlyArray<string>) =>
  asActor.all(
    DocumentRow,
    (sql) => sql`${selected(sql)} where d.veteran_id = ${veteranId} and d.id = any (${ids}::uuid[])`
  )

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

/** A recipient sees the one document of their link, while it is live. */
export const findRecipientCopy = (veteranId: string) =>
  Effect.map(
    asActor.all(RecipientCopyRow, (sql) =>
      sql`select id, veteran_id, signed_at, authorization_ciphertext, recipient_storage_key as storage_key,
            recipient_file_key as file_key, recipient_byte_size::int4 as byte_size, recipient_sha256 as sha256,
            statement_timestamp() as moment
          from documents where veteran_id = ${veteranId}`),
    ([row]) =>
      row
  )

/** Uploads and releases have these columns alike. */
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

export const insertUpload = (upload: NewDocument) =>
  ActorTransaction.use((sql) => sql`insert into documents ${sql.insert({ kind: "upload", ...upload })}`)

export const insertRelease = ({ releasedDocuments, ...release }: NewRelease) =>
  ActorTransaction.use((sql) => {
    const row = { kind: "roi", ...release, releasedDocuments: `{${releasedDocuments.join()}}` }
    return sql`insert into documents ${sql.insert(row)}`
  })

const RemovedRow = Schema.Struct({ storageKey: Schema.String, recipientStorageKey: Schema.NullOr(Schema.String) })

/**
 * Deletes a document that no release in force needs, and tells its files. None: there is such a release, the document
 * itself or one that names it. The caller holds the veteran's lock, which whoever signs takes too.
 */
export const remove = (veteranId: string, id: string) =>
  asActor.option(RemovedRow, (sql) =>
    sql`delete from documents d where d.veteran_id = ${veteranId} and d.id = ${id}
          and not exists (
            select from documents r where r.veteran_id = d.veteran_id and (r.id = d.id or d.id = any (r.released_documents))
              and app.in_force(r)
          )
        returning d.storage_key, d.recipient_storage_key`)

/** Ends a release; false: it is not in force. `supersededBy` is the release that replaces it. */
export const endRelease = (veteranId: string, id: string, supersededBy: string | null) =>
  Effect.map(
    ActorTransaction.use((sql) =>
      sql`insert into roi_revocations (veteran_id, document_id, superseded_by)
          select d.veteran_id, d.id, ${supersededBy}::uuid from documents d
          where d.veteran_id = ${veteranId} and d.id = ${id} and app.in_force(d)
          on conflict do nothing returning document_id`
    ),
    (ended) => ended.length > 0
  )
