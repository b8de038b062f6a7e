import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ProviderId } from "../../domain/Id.ts"
import type { ProviderChange, ProviderFilter } from "../../domain/Provider.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"
import { all, one, option } from "../Rows.ts"

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

const IdRow = Schema.Struct({ id: Schema.String })

const ChangedRow = Schema.Struct({ status: Schema.Literals(["unknown", "same", "taken", "changed"]) })

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
  /** Of the password that was checked. */
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
    findById: (id: ProviderId) => option(ProviderRow, sql`select ${columns} from providers where id = ${id}`),
    list: ({ after, filter: { email, npi }, limit }: PageQuery & { readonly filter: ProviderFilter }) =>
      all(
        ProviderRow,
        sql`select ${columns} from providers where ${
          sql.and([
            sql`true`,
            ...(after === undefined ? [] : [sql`id > ${after}`]),
            ...(email === undefined ? [] : [sql`lower(email) = lower(${email})`]),
            ...(npi === undefined ? [] : [sql`npi = ${npi}`])
          ])
        } order by id limit ${limit}`
      ),
    /** Decides by itself, and puts mails to both addresses into the outbox if the address changes. */
    change: (id: ProviderId, { displayName, email, npi, organization }: typeof ProviderChange.Type) =>
      one(
        ChangedRow,
        sql`select app.change_provider(${id}, ${email ?? null}, ${displayName ?? null}, ${organization ?? null},
              ${npi !== undefined}, ${npi ?? null}) as status`
      ),
    /** The provider's sessions end in the same statement. Returns None if nothing changes. */
    disable: (id: ProviderId) =>
      option(
        IdRow,
        sql`with disabled as (
              update providers set disabled_at = now() where id = ${id} and disabled_at is null returning id
            ), ended as (
              update provider_sessions s set revoked_at = now() from disabled d
              where s.provider_id = d.id and s.revoked_at is null
            )
            select id from disabled`
      ),
    /**
     * Returns None if nothing changes. A sign-in may have opened a session while the provider was being disabled. It is
     * ended here, so that it does not come back.
     */
    enable: (id: ProviderId) =>
      option(
        IdRow,
        sql`with enabled as (
              update providers set disabled_at = null where id = ${id} and disabled_at is not null returning id
            ), ended as (
              update provider_sessions s set revoked_at = now() from enabled e
              where s.provider_id = e.id and s.revoked_at is null
            )
            select id from enabled`
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
        IdRow,
        sql`update provider_sessions set resume_hashes = (array[${hash}::bytea] || resume_hashes)[1:${maxCookies}::int]
            where id = ${sessionId} and revoked_at is null and expires_at > now() returning id`
      ),
    endSession: (sessionId: string) =>
      atEdge(sql`update provider_sessions set revoked_at = now() where id = ${sessionId} and revoked_at is null`)
  }
}
