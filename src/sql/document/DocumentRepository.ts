import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ReleaseStatus } from "../../domain/Document.ts"
import { DocumentId, VeteranId } from "../../domain/Id.ts"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

export const DocumentRow = Schema.Struct({
  id: DocumentId,
  veteranId: VeteranId,
  kind: Schema.Literals(["roi", "upload"]),
  title: Schema.Uint8Array,
  contentType: Schema.String,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array,
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  signedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  /** The next four columns describe a second file: the record that a release carries. They are null for an upload. */
  recordStorageKey: Schema.NullOr(Schema.String),
  recordFileKey: Schema.NullOr(Schema.Uint8Array),
  recordByteSize: Schema.NullOr(Schema.Int),
  recordSha256: Schema.NullOr(Schema.Uint8Array),
  authorizationSha256: Schema.NullOr(Schema.Uint8Array),
  endsAt: Schema.NullOr(Schema.Date),
  revokedAt: Schema.NullOr(Schema.Date),
  supersededBy: Schema.NullOr(DocumentId),
  releaseStatus: Schema.NullOr(ReleaseStatus)
})

export type DocumentRow = typeof DocumentRow.Type

/** Selects from `documents d` and from `roi_revocations r`, which has a row if the veteran ended the release. */
const selected = (sql: SqlClient.SqlClient) =>
  sql`select d.id, d.veteran_id, d.kind, d.title, d.content_type, d.byte_size::int4 as byte_size, d.sha256, d.storage_key,
        d.file_key, d.signed_at, d.created_at, d.authorization_sha256, d.ends_at, r.revoked_at, r.superseded_by,
        d.record_storage_key, d.record_file_key, d.record_byte_size::int4 as record_byte_size, d.record_sha256,
        app.release_status(d, r) as release_status
      from documents d
        left join roi_revocations r on r.veteran_id = d.veteran_id and r.document_id = d.id`

interface OwnPage extends PageQuery {
  readonly veteranId: VeteranId
}

const listed = (kinds: "and kind = 'upload'" | "") => ({ after, limit, veteranId }: OwnPage) =>
  asActor.all(DocumentRow, (sql) =>
    sql`${selected(sql)}
        where d.veteran_id = ${veteranId} and d.id = any (array(
          select id from documents
          where veteran_id = ${veteranId} and (${after ?? null}::uuid is null or id < ${after ?? null})
            ${sql.literal(kinds)}
          order by id desc limit ${limit}
        ))
        order by d.id desc`)

/** The newest first. */
export const list = listed("")

export const listUploads = listed("and kind = 'upload'")

/** Returns the documents with these ids that the actor may see. */
export const findAll = (veteranId: VeteranId, ids: ReadonlyArray<DocumentId>) =>
  asActor.all(
    DocumentRow,
    (sql) => sql`${selected(sql)} where d.veteran_id = ${veteranId} and d.id = any (${ids}::uuid[])`
  )

export const find = (veteranId: VeteranId, id: DocumentId) => Effect.map(findAll(veteranId, [id]), ([row]) => row)

/** Returns the sealed authorization of a release. */
export const findAuthorization = (veteranId: VeteranId, id: DocumentId) =>
  Effect.map(
    asActor.option(
      Schema.Struct({ authorizationCiphertext: Schema.Uint8Array }),
      (sql) =>
        sql`select authorization_ciphertext from documents
            where veteran_id = ${veteranId} and id = ${id} and kind = 'roi'`
    ),
    Option.map(({ authorizationCiphertext }) => authorizationCiphertext)
  )

/**
 * Returns the document whose file is about to be sent, and writes the proof of this reading in the same statement
 * (migrations/020). Returns None if the actor sees no such document or it has no such file.
 */
export const findForReading = (veteranId: VeteranId, id: DocumentId, file: "content" | "record") =>
  asActor.option(
    DocumentRow,
    (sql) =>
      sql`select d.*, app.prove_reading(d.id)
          from (${selected(sql)} where d.veteran_id = ${veteranId} and d.id = ${id}) d
          where ${file === "content"}::boolean or d.kind = 'roi'`
  )

const RecipientCopyRow = Schema.Struct({
  id: DocumentId,
  veteranId: VeteranId,
  signedAt: Schema.Date,
  authorizationCiphertext: Schema.Uint8Array,
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array,
  moment: Schema.Date
})

export type RecipientCopyRow = typeof RecipientCopyRow.Type

/** Row-level security shows a recipient only the document of their link, while the link is live. */
export const findRecipientCopy = (veteranId: VeteranId) =>
  Effect.map(
    asActor.all(RecipientCopyRow, (sql) =>
      sql`select id, veteran_id, signed_at, authorization_ciphertext, recipient_storage_key as storage_key,
            recipient_file_key as file_key, recipient_byte_size::int4 as byte_size, recipient_sha256 as sha256,
            statement_timestamp() as moment
          from documents where veteran_id = ${veteranId}`),
    ([row]) =>
      row
  )

interface NewDocument {
  readonly id: DocumentId
  readonly veteranId: VeteranId
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
  readonly releasedDocuments: ReadonlyArray<DocumentId>
  readonly recipientStorageKey: string
  readonly recipientFileKey: Uint8Array
  readonly recipientByteSize: number
  readonly recipientSha256: Uint8Array
  readonly recordStorageKey: string
  readonly recordFileKey: Uint8Array
  readonly recordByteSize: number
  readonly recordSha256: Uint8Array
}

export const insertUpload = (upload: NewDocument) =>
  ActorTransaction.use((sql) => sql`insert into documents ${sql.insert({ kind: "upload", ...upload })}`)

export const insertRelease = ({ releasedDocuments, ...release }: NewRelease) =>
  ActorTransaction.use((sql) => {
    const row = { kind: "roi", ...release, releasedDocuments: `{${releasedDocuments.join()}}` }
    return sql`insert into documents ${sql.insert(row)}`
  })

const RemovedRow = Schema.Struct({
  outcome: Schema.Literals(["removed", "kept", "needed"]),
  storageKeys: Schema.NullOr(Schema.Array(Schema.String))
})

/**
 * Removes a document and returns the names of its files. A release that a recipient has seen is kept, but hidden. The
 * outcome is `needed` if a release in force includes the document. Returns None if there is no such document.
 */
export const remove = (veteranId: VeteranId, id: DocumentId) =>
  asActor.option(RemovedRow, (sql) => sql`select * from app.remove_document(${veteranId}::uuid, ${id}::uuid)`)

const ForgottenRow = Schema.Struct({ storageKeys: Schema.Array(Schema.String) })

/**
 * Deletes up to `limit` kept releases that ended at least `years` ago, and returns the names of their files. A kept
 * release is one that its veteran deleted after a recipient had seen it. The actor must be `retention`. If another
 * process is already deleting kept releases, this deletes none.
 */
export const forgetKept = (years: number, limit: number) =>
  asActor.all(ForgottenRow, (sql) =>
    sql`delete from documents d using (
          select k.veteran_id, k.document_id
          from kept_releases k join documents o on o.veteran_id = k.veteran_id and o.id = k.document_id
            left join roi_revocations r on r.veteran_id = k.veteran_id and r.document_id = k.document_id
          where pg_try_advisory_xact_lock(hashtextextended('kept_releases', 0))
            and least(o.ends_at, r.revoked_at) <= now() - make_interval(years => ${years}::int)
          limit ${limit}
        ) k
        where d.veteran_id = k.veteran_id and d.id = k.document_id
        returning array[d.storage_key, d.recipient_storage_key, d.record_storage_key] as storage_keys`)

/** Ends a release. `supersededBy` is the release that replaces it, if any. Returns false if it was not in force. */
export const endRelease = (veteranId: VeteranId, id: DocumentId, supersededBy: DocumentId | null) =>
  Effect.map(
    ActorTransaction.use((sql) =>
      sql`insert into roi_revocations (veteran_id, document_id, superseded_by)
          select d.veteran_id, d.id, ${supersededBy}::uuid from documents d
          where d.veteran_id = ${veteranId} and d.id = ${id} and app.in_force(d)
          on conflict do nothing returning document_id`
    ),
    (ended) => ended.length > 0
  )
