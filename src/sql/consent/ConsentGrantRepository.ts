import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { ConsentGrant } from "../../domain/ConsentGrant.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"

export const GrantRow = Schema.Struct({
  ...ConsentGrant.fields,
  grantedAt: Schema.Date,
  expiresAt: Schema.Date,
  revokedAt: Schema.NullOr(Schema.Date)
})

const PatientRow = Schema.Struct({
  ...GrantRow.fields,
  callSign: Schema.String,
  fhirSyncManifest: Schema.Unknown
})

export const make = (sql: SqlClient.SqlClient) => {
  /** A grant past its end is expired, though no one has written so. */
  const columns = sql.literal(`
    g.id, g.veteran_id, g.provider_id, g.resource_types, g.sensitive_categories, g.include_self_reported,
    g.include_documents, g.purpose, g.granted_at, g.expires_at, g.revoked_at,
    (select jsonb_build_object('displayName', named.display_name, 'organization', named.organization)
      from providers named where named.id = g.provider_id) as provider,
    case when g.status = 'active' and g.expires_at <= now() then 'expired' else g.status end as status`)

  const insert = SqlSchema.findOneOption({
    Request: Schema.Any,
    Result: GrantRow,
    execute: (
      grant: {
        readonly id: string
        readonly veteranId: string
        readonly providerId: string
        readonly resourceTypes: ReadonlyArray<string> | null
        readonly sensitiveCategories: ReadonlyArray<string>
        readonly includeSelfReported: boolean
        readonly includeDocuments: boolean
        readonly purpose: string
        readonly expiresAt: Date
      }
    ) =>
      sql`insert into consent_grants as g (id, veteran_id, provider_id, resource_types, sensitive_categories,
            include_self_reported, include_documents, purpose, expires_at)
          select ${grant.id}, ${grant.veteranId}, p.id, ${grant.resourceTypes}::text[],
                 ${grant.sensitiveCategories}::text[], ${grant.includeSelfReported}::boolean,
                 ${grant.includeDocuments}::boolean, ${grant.purpose}, ${grant.expiresAt}::timestamptz
          from providers p
          where p.id = ${grant.providerId} and p.disabled_at is null and ${grant.expiresAt}::timestamptz > now()
          returning ${columns}`
  })
  const list = SqlSchema.findAll({
    Request: Schema.Any,
    Result: GrantRow,
    execute: ({ after, limit, veteranId }: PageQuery & { readonly veteranId: string }) =>
      sql`select ${columns} from consent_grants g
          where g.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or g.id < ${after ?? null})
          order by g.id desc limit ${limit}`
  })
  const revoke = SqlSchema.findOneOption({
    Request: Schema.Struct({ veteranId: Schema.String, grantId: Schema.String }),
    Result: GrantRow,
    execute: ({ grantId, veteranId }) =>
      sql`update consent_grants g set status = 'revoked', revoked_at = now()
          where g.veteran_id = ${veteranId} and g.id = ${grantId} and g.status = 'active' and g.expires_at > now()
          returning ${columns}`
  })
  const find = SqlSchema.findOneOption({
    Request: Schema.Struct({ veteranId: Schema.String, grantId: Schema.String }),
    Result: GrantRow,
    execute: ({ grantId, veteranId }) =>
      sql`select ${columns} from consent_grants g where g.veteran_id = ${veteranId} and g.id = ${grantId}`
  })
  const patients = SqlSchema.findAll({
    Request: Schema.Any,
    Result: PatientRow,
    execute: (
      { after, limit, providerId, veteranId }: PageQuery & { readonly providerId: string; readonly veteranId?: string }
    ) =>
      sql`select ${columns}, v.call_sign, v.fhir_sync_manifest
          from consent_grants g join veterans v on v.id = g.veteran_id
            join providers p on p.id = g.provider_id and p.disabled_at is null
          where g.provider_id = ${providerId} and g.status = 'active' and g.expires_at > now()
            and (${veteranId ?? null}::uuid is null or g.veteran_id = ${veteranId ?? null})
            and (${after ?? null}::uuid is null or g.id < ${after ?? null})
          order by g.id desc limit ${limit}`
  })
  return {
    /** None: no such provider who may still sign in, or the end has passed. */
    insert: (grant: Parameters<typeof insert>[0]) => atEdge(insert(grant)),
    list: (page: PageQuery & { readonly veteranId: string }) => atEdge(list(page)),
    /** None: not there, or no longer active. */
    revoke: (key: { readonly veteranId: string; readonly grantId: string }) => atEdge(revoke(key)),
    find: (key: { readonly veteranId: string; readonly grantId: string }) => atEdge(find(key)),
    /** The active grants to a provider who is not disabled, newest first, each with its veteran; of one veteran where one is named. */
    patients: (page: PageQuery & { readonly providerId: string; readonly veteranId?: string }) => atEdge(patients(page))
  }
}
