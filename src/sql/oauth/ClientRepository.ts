import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ClientId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { all, one, option } from "../Rows.ts"

const ClientRow = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  redirectUris: Schema.Array(Schema.String),
  scopes: Schema.Array(Schema.String),
  confidential: Schema.Boolean,
  createdAt: Schema.Date,
  disabledAt: Schema.NullOr(Schema.Date)
})

export type ClientRow = typeof ClientRow.Type

/** `secretHash` is null if the client is public. */
const CredentialRow = Schema.Struct({ id: ClientId, secretHash: Schema.NullOr(Schema.Uint8Array) })

interface NewClient {
  readonly id: ClientId
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
  readonly secretHash: Uint8Array | null
  readonly privacyUrl: string | null
  readonly webhookUrl: string | null
}

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    "id, name, redirect_uris, scopes, secret_hash is not null as confidential, created_at, disabled_at"
  )
  return {
    insert: ({ id, name, privacyUrl, redirectUris, scopes, secretHash, webhookUrl }: NewClient) =>
      one(
        ClientRow,
        sql`insert into oauth_clients (id, name, redirect_uris, scopes, secret_hash, privacy_url, webhook_url)
            values (${id}, ${name}, ${redirectUris}::text[], ${scopes}::text[], ${secretHash}::bytea, ${privacyUrl}, ${webhookUrl})
            returning ${columns}`
      ),
    list: ({ after, limit }: PageQuery) =>
      all(
        ClientRow,
        sql`select ${columns} from oauth_clients
            where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
      ),
    find: (id: ClientId) => option(ClientRow, sql`select ${columns} from oauth_clients where id = ${id}`),
    /** Returns None if nothing changes. */
    disable: (id: ClientId) =>
      option(
        ClientRow,
        sql`update oauth_clients set disabled_at = now() where id = ${id} and disabled_at is null returning ${columns}`
      ),
    /** Returns None if no enabled, confidential client has this id. */
    replaceSecret: (id: ClientId, secretHash: Uint8Array) =>
      option(
        ClientRow,
        sql`update oauth_clients set secret_hash = ${secretHash}
            where id = ${id} and secret_hash is not null and disabled_at is null returning ${columns}`
      ),
    /** Returns None if no enabled client has this id. */
    findCredential: (id: ClientId) =>
      option(
        CredentialRow,
        sql`select id, secret_hash from oauth_clients where id = ${id} and disabled_at is null`
      )
  }
}
