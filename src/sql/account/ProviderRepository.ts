import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ProviderId } from "../../domain/Id.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"
import { all, option } from "../Rows.ts"

const ProviderRow = Schema.Struct({
  id: ProviderId,
  email: Schema.String,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String),
  disabledAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})

const CredentialRow = Schema.Struct({ ...ProviderRow.fields, passwordHash: Schema.String })

const SessionRow = Schema.Struct({ ...ProviderRow.fields, expiresAt: Schema.Date })

const SessionId = Schema.Struct({ id: Schema.String })

const OpenedRow = Schema.Struct({ expiresAt: Schema.Date })

interface NewProvider {
  readonly id: ProviderId
  readonly email: string
  readonly passwordHash: string
  readonly displayName: string
  readonly organization: string
  readonly npi: string | null
}

interface OpenedSession {
  readonly id: string
  readonly providerId: ProviderId
  /** The hash with which the password was checked. */
  readonly passwordHash: string
  readonly hours: number
}

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal("id, email, display_name, organization, npi, disabled_at, created_at")
  const live = (sessionId: string) =>
    sql`select p.id, p.email, p.display_name, p.organization, p.npi, p.disabled_at, p.created_at, s.expires_at
        from provider_sessions s join providers p on p.id = s.provider_id
        where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > now() and p.disabled_at is null`
  return {
    /** Returns None if the e-mail is taken. */
    insert: ({ displayName, email, id, npi, organization, passwordHash }: NewProvider) =>
      option(
        ProviderRow,
        sql`insert into providers ${sql.insert({ id, email, passwordHash, displayName, organization, npi })}
            on conflict ((lower(email))) do nothing returning ${columns}`
      ),
    findCredential: (email: string) =>
      option(
        CredentialRow,
        sql`select ${columns}, password_hash from providers
            where lower(email) = lower(${email}) and disabled_at is null`
      ),
    findByEmail: (email: string) =>
      option(
        ProviderRow,
        sql`select ${columns} from providers where lower(email) = lower(${email}) and disabled_at is null`
      ),
    /** A National Provider Identifier may name several, such as the desks of one clinic. */
    findByNpi: (npi: string, most: number) =>
      all(
        ProviderRow,
        sql`select ${columns} from providers where npi = ${npi} and disabled_at is null order by id limit ${most}`
      ),
    list: ({ after, limit }: PageQuery) =>
      all(
        ProviderRow,
        sql`select ${columns} from providers
            where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
      ),
    /** The provider's sessions end in the same statement. */
    disable: (id: ProviderId) =>
      option(
        ProviderRow,
        sql`with disabled as (
              update providers set disabled_at = coalesce(disabled_at, now()) where id = ${id} returning *
            ), ended as (
              update provider_sessions s set revoked_at = now() from disabled d
              where s.provider_id = d.id and s.revoked_at is null
            )
            select ${columns} from disabled`
      ),
    /**
     * Returns None if the provider has been disabled meanwhile, or has another password. It waits for a change of the
     * password, which would otherwise not see this session when it ends the others.
     */
    openSession: (session: OpenedSession) =>
      option(
        OpenedRow,
        sql`insert into provider_sessions (id, provider_id, expires_at)
            select ${session.id}, p.id, now() + make_interval(hours => ${session.hours})
            from providers p
            where p.id = ${session.providerId} and p.disabled_at is null and p.password_hash = ${session.passwordHash}
            for share of p
            returning expires_at`
      ),
    /** Returns None if the session ended or expired, or its provider is disabled. */
    findSession: (sessionId: string) => option(SessionRow, live(sessionId)),
    /** Returns None if the session is not live or none of its cookies has this hash. */
    findResumable: (sessionId: string, hash: Uint8Array) =>
      option(SessionRow, sql`${live(sessionId)} and ${hash} = any(s.resume_hashes)`),
    /** Adds a cookie's hash and keeps only the newest `maxCookies` hashes. Returns None if the session is not live. */
    addResumeHash: (sessionId: string, hash: Uint8Array, maxCookies: number) =>
      option(
        SessionId,
        sql`update provider_sessions set resume_hashes = (array[${hash}::bytea] || resume_hashes)[1:${maxCookies}::int]
            where id = ${sessionId} and revoked_at is null and expires_at > now() returning id`
      ),
    endSession: (sessionId: string) =>
      atEdge(sql`update provider_sessions set revoked_at = now() where id = ${sessionId} and revoked_at is null`)
  }
}
