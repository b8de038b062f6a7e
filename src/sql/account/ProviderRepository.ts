import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"

const ProviderRow = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String),
  disabledAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})

const CredentialRow = Schema.Struct({ ...ProviderRow.fields, passwordHash: Schema.String })

const SessionRow = Schema.Struct({ ...ProviderRow.fields, expiresAt: Schema.Date })

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal("id, email, display_name, organization, npi, disabled_at, created_at")

  const insert = SqlSchema.findOneOption({
    Request: Schema.Struct({
      id: Schema.String,
      email: Schema.String,
      passwordHash: Schema.String,
      displayName: Schema.String,
      organization: Schema.String,
      npi: Schema.NullOr(Schema.String)
    }),
    Result: ProviderRow,
    execute: (row) =>
      sql`insert into providers ${sql.insert(row)} on conflict ((lower(email))) do nothing returning ${columns}`
  })
  const findCredential = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: CredentialRow,
    execute: (email) =>
      sql`select ${columns}, password_hash from providers where lower(email) = lower(${email}) and disabled_at is null`
  })
  const findByEmail = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: ProviderRow,
    execute: (email) =>
      sql`select ${columns} from providers where lower(email) = lower(${email}) and disabled_at is null`
  })
  const list = SqlSchema.findAll({
    Request: Schema.Any,
    Result: ProviderRow,
    execute: ({ after, limit }: PageQuery) =>
      sql`select ${columns} from providers
          where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
  })
  /** Sessions end in the same statement. */
  const disable = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: ProviderRow,
    execute: (id) =>
      sql`with disabled as (
            update providers set disabled_at = coalesce(disabled_at, now()) where id = ${id} returning *
          ), ended as (
            update provider_sessions s set revoked_at = now() from disabled d
            where s.provider_id = d.id and s.revoked_at is null
          )
          select ${columns} from disabled`
  })
  const openSession = SqlSchema.findOneOption({
    Request: Schema.Struct({ id: Schema.String, providerId: Schema.String, hours: Schema.Finite }),
    Result: Schema.Struct({ expiresAt: Schema.Date }),
    execute: ({ hours, id, providerId }) =>
      sql`insert into provider_sessions (id, provider_id, expires_at)
          select ${id}, p.id, now() + make_interval(hours => ${hours})
          from providers p where p.id = ${providerId} and p.disabled_at is null
          returning expires_at`
  })
  const findSession = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: SessionRow,
    execute: (sessionId) =>
      sql`select p.id, p.email, p.display_name, p.organization, p.npi, p.disabled_at, p.created_at, s.expires_at
          from provider_sessions s join providers p on p.id = s.provider_id
          where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > now() and p.disabled_at is null`
  })
  return {
    /** None: the e-mail is taken. */
    insert: (row: Parameters<typeof insert>[0]) => atEdge(insert(row)),
    findCredential: (email: string) => atEdge(findCredential(email)),
    findByEmail: (email: string) => atEdge(findByEmail(email)),
    list: (page: PageQuery) => atEdge(list(page)),
    disable: (id: string) => atEdge(disable(id)),
    /** None: the provider has been disabled meanwhile. */
    openSession: (session: Parameters<typeof openSession>[0]) => atEdge(openSession(session)),
    /** None: ended, expired, or its provider disabled. */
    findSession: (sessionId: string) => atEdge(findSession(sessionId)),
    endSession: (sessionId: string) =>
      atEdge(sql`update provider_sessions set revoked_at = now() where id = ${sessionId} and revoked_at is null`)
  }
}
