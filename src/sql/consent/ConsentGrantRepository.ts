import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ConsentGrant, grantLimits, ProviderGrant } from "../../domain/ConsentGrant.ts"
import { GrantId, type ProviderId, type VeteranId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { all, asActor, values } from "../Rows.ts"

const moments = { grantedAt: Schema.Date, expiresAt: Schema.Date, revokedAt: Schema.NullOr(Schema.Date) }

const GrantRow = Schema.Struct({ ...ConsentGrant.fields, ...moments })

/** No grant was inserted, because the veteran already has as many as `grantLimits` allow. */
const NoRoomRow = Schema.Struct({ hasRoom: Schema.Literal(false) })

const PatientRow = Schema.Struct({
  ...ProviderGrant.fields,
  ...moments,
  callSign: Schema.String,
  fhirSyncManifest: Schema.Unknown,
  /** The present moment, as the database has it. */
  askedAt: Schema.Date
})

const StandingRow = Schema.Struct({ id: GrantId })

interface NewGrant {
  readonly id: GrantId
  readonly veteranId: VeteranId
  readonly providerId: ProviderId
  readonly resourceTypes: ReadonlyArray<string> | null
  readonly sensitiveCategories: ReadonlyArray<string>
  readonly includeSelfReported: boolean
  readonly includeDocuments: boolean
  readonly purpose: string
  readonly expiresAt: Date
}

interface GrantKey {
  readonly veteranId: VeteranId
  readonly grantId: GrantId
}

/** A grant past its end counts as expired even before its `status` says so. */
const termColumns = `
  g.id, g.veteran_id, g.provider_id, g.resource_types, g.sensitive_categories, g.include_self_reported,
  g.include_documents, g.purpose, g.granted_at, g.expires_at, g.revoked_at,
  (select jsonb_build_object('displayName', named.display_name, 'organization', named.organization)
    from providers named where named.id = g.provider_id) as provider,
  case when g.status = 'active' and g.expires_at <= now() then 'expired' else g.status end as status`

const columns = `${termColumns}, g.scope,
  (select jsonb_build_object('clientId', named.id, 'name', named.name)
    from oauth_clients named where named.id = g.client_id) as app`

/** These run in a veteran's transaction. */

/** Returns None if no enabled provider has the grant's provider id, or if the grant's end has passed. */
export const insert = (grant: NewGrant) =>
  asActor.option(
    Schema.Union([NoRoomRow, GrantRow]),
    (sql) =>
      sql`with bound as materialized (
            select app.has_room_for_grant(${grant.veteranId}, ${grant.providerId}, ${grantLimits.perVeteran}::int,
              ${grantLimits.perProvider}::int) as has_room
          ), given as (
            insert into consent_grants as g (id, veteran_id, provider_id, resource_types, sensitive_categories,
              include_self_reported, include_documents, purpose, expires_at)
            select ${grant.id}, ${grant.veteranId}, p.id, ${grant.resourceTypes}::text[],
                   ${grant.sensitiveCategories}::text[], ${grant.includeSelfReported}::boolean,
                   ${grant.includeDocuments}::boolean, ${grant.purpose}, ${grant.expiresAt}::timestamptz
            from providers p, bound
            where bound.has_room and p.id = ${grant.providerId} and p.disabled_at is null
              and ${grant.expiresAt}::timestamptz > now()
            returning ${sql.literal(columns)}
          )
          select * from bound left join given on true where not bound.has_room or given.id is not null`
  )

/** Ends a grant because `by` replaces it. Returns None if the provider has no such grant, or it is not active. */
export const supersede = (
  { by, grantId, providerId, veteranId }: GrantKey & { readonly providerId: ProviderId; readonly by: GrantId }
) =>
  asActor.option(
    StandingRow,
    (sql) =>
      sql`update consent_grants g set status = 'revoked', revoked_at = now(), superseded_by = ${by}
          where g.veteran_id = ${veteranId} and g.id = ${grantId} and g.provider_id = ${providerId}
            and g.status = 'active' and g.expires_at > now()
          returning g.id`
  )

/** The newest first: active ones, and at most `endedGrants` of the others. */
export const list = (
  { after, endedGrants, limit, veteranId }: PageQuery & {
    readonly veteranId: VeteranId
    readonly endedGrants: number
  }
) =>
  asActor.all(GrantRow, (sql) => {
    const own = sql`select id from consent_grants
                    where veteran_id = ${veteranId} and (${after ?? null}::uuid is null or id < ${after ?? null})`
    return sql`select ${sql.literal(columns)} from consent_grants g
               where g.veteran_id = ${veteranId} and g.id = any (array(
                 (${own} and status = 'active' order by id desc limit ${limit})
                 union all
                 (${own} and status <> 'active' order by id desc limit ${Math.min(limit, endedGrants)})
               ))
               order by g.id desc limit ${limit}`
  })

/** Returns None if the grant does not exist or is no longer active. */
export const revoke = ({ grantId, veteranId }: GrantKey) =>
  asActor.option(
    GrantRow,
    (sql) =>
      sql`update consent_grants g set status = 'revoked', revoked_at = now()
          where g.veteran_id = ${veteranId} and g.id = ${grantId} and g.status = 'active' and g.expires_at > now()
          returning ${sql.literal(columns)}`
  )

export const find = ({ grantId, veteranId }: GrantKey) =>
  asActor.option(
    GrantRow,
    (sql) =>
      sql`select ${sql.literal(columns)} from consent_grants g
          where g.veteran_id = ${veteranId} and g.id = ${grantId}`
  )

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns those of these grants that still let the enabled provider read. */
  standing: (providerId: ProviderId, grantIds: ReadonlyArray<GrantId>) =>
    values(
      GrantId,
      sql`select g.id from consent_grants g join providers p on p.id = g.provider_id and p.disabled_at is null
            where g.id = any (${grantIds}::uuid[]) and g.provider_id = ${providerId} and g.status = 'active'
              and g.expires_at > now()`
    ),
  /** An enabled provider's active grants and their veterans, newest first. `veteranId` limits them to one veteran. */
  patients: (
    { after, limit, providerId, veteranId }: PageQuery & {
      readonly providerId: ProviderId
      readonly veteranId?: VeteranId
    }
  ) =>
    all(
      PatientRow,
      sql`select ${sql.literal(termColumns)}, v.call_sign, v.fhir_sync_manifest,
            date_trunc('milliseconds', clock_timestamp()) as asked_at
          from consent_grants g join veterans v on v.id = g.veteran_id
            join providers p on p.id = g.provider_id and p.disabled_at is null
          where g.provider_id = ${providerId} and g.status = 'active' and g.expires_at > now()
            ${veteranId === undefined ? sql.literal("") : sql`and g.veteran_id = ${veteranId}`}
            ${after === undefined ? sql.literal("") : sql`and g.id < ${after}`}
          order by g.id desc limit ${limit}`
    )
})
