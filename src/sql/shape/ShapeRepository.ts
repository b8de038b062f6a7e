import { Effect, Schema } from "effect"
import { ReleaseStatus } from "../../domain/Document.ts"
import { ClientId, DocumentId, type GrantId, LinkId, ProviderId, VeteranId } from "../../domain/Id.ts"
import { ActorTransaction } from "../Actor.ts"
import { asActor } from "../Rows.ts"

/** The statements of this file run in a veteran's transaction. */

const FileColumns = {
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array
}

const ReleaseRow = Schema.Struct({
  id: DocumentId,
  veteranId: VeteranId,
  signedAt: Schema.Date,
  endsAt: Schema.Date,
  releaseStatus: ReleaseStatus,
  authorizationCiphertext: Schema.Uint8Array,
  authorizationSha256: Schema.Uint8Array,
  ...FileColumns,
  recordStorageKey: Schema.String,
  recordFileKey: Schema.Uint8Array,
  recordByteSize: Schema.Int,
  recordSha256: Schema.Uint8Array
})

/** Returns a release with the file of one of its copies and the file of its record. */
export const findRelease = (veteranId: VeteranId, id: DocumentId, copy: "recipient" | "veteran") =>
  asActor.option(ReleaseRow, (sql) => {
    const of = sql.literal(copy === "recipient" ? "recipient_" : "")
    return sql`select d.id, d.veteran_id, d.signed_at, d.ends_at, app.release_status(d, r) as release_status,
                 d.authorization_ciphertext, d.authorization_sha256, d.${of}storage_key as storage_key,
                 d.${of}file_key as file_key, d.${of}byte_size::int4 as byte_size, d.${of}sha256 as sha256,
                 d.record_storage_key, d.record_file_key, d.record_byte_size::int4 as record_byte_size, d.record_sha256
               from documents d
                 left join roi_revocations r on r.veteran_id = d.veteran_id and r.document_id = d.id
               where d.veteran_id = ${veteranId} and d.id = ${id} and d.kind = 'roi'`
  })

/** Writes the proof that the veteran was given a shape: of a release, of a grant, or else of the account. */
export const proveExport = (
  { documentId, grantId }: { readonly documentId?: DocumentId; readonly grantId?: GrantId }
) => ActorTransaction.use((sql) => sql`select app.prove_shape(${documentId ?? null}::uuid, ${grantId ?? null}::uuid)`)

const LeafHashRow = Schema.Struct({ id: Schema.String, leafHash: Schema.Uint8Array })

/** Returns the leaf hashes of those events that are in the tree. */
export const leafHashes = (veteranId: VeteranId, ids: ReadonlyArray<string>) =>
  asActor.all(
    LeafHashRow,
    (sql) =>
      sql`select id, leaf_hash from proofs
          where veteran_id = ${veteranId} and id = any (${ids}::uuid[]) and leaf_hash is not null`
  )

const GrantPurposeRow = Schema.Struct({ id: Schema.String, purpose: Schema.String })

const LinkAddressRow = Schema.Struct({ id: LinkId, recipientEmailCiphertext: Schema.Uint8Array })

const ProviderAddressRow = Schema.Struct({ id: ProviderId, email: Schema.String })

const AppAddressRow = Schema.Struct({ id: ClientId, redirectUris: Schema.Array(Schema.String) })

const AuthorizationRow = Schema.Struct({ id: DocumentId, authorizationCiphertext: Schema.Uint8Array })

interface Named {
  readonly apps: ReadonlyArray<string>
  readonly grants: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
  readonly providers: ReadonlyArray<string>
  readonly documents: ReadonlyArray<string>
}

/** Returns what an accounting tells of events beside their names: purposes and addresses. */
export const circumstances = Effect.fnUntraced(function*(
  veteranId: VeteranId,
  { apps, documents, grants, links, providers }: Named
) {
  return {
    grants: yield* asActor.all(
      GrantPurposeRow,
      (sql) =>
        sql`select id, purpose from consent_grants where veteran_id = ${veteranId} and id = any (${grants}::uuid[])`
    ),
    links: yield* asActor.all(LinkAddressRow, (sql) =>
      sql`select id, recipient_email_ciphertext from secure_links
          where veteran_id = ${veteranId} and id = any (${links}::uuid[])`),
    providers: yield* asActor.all(
      ProviderAddressRow,
      (sql) => sql`select id, email from providers where id = any (${providers}::uuid[])`
    ),
    apps: yield* asActor.all(
      AppAddressRow,
      (sql) => sql`select id, redirect_uris from oauth_clients where id = any (${apps}::uuid[])`
    ),
    documents: yield* asActor.all(AuthorizationRow, (sql) =>
      sql`select id, authorization_ciphertext from documents
          where veteran_id = ${veteranId} and id = any (${documents}::uuid[]) and kind = 'roi'`)
  }
})
