import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { DocumentId, GrantId, LinkId, type VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { Sharing } from "../../domain/Sharing.ts"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

/** Selects what is active or what has ended, or one by its id. */
export interface SharingQuery extends PageQuery {
  readonly veteranId: VeteranId
  readonly id?: string | undefined
  readonly isActive?: boolean | undefined
  /** At most this many grants that have ended. */
  readonly endedGrants?: number | undefined
}

const { ended } = Sharing.fields

const shared = {
  ended,
  since: Schema.Date,
  until: Schema.Date
}

const GrantRow = Schema.Struct({
  ...shared,
  kind: Schema.Literals(["provider", "app"]),
  id: GrantId,
  who: Sharing.fields.who,
  purpose: Schema.String,
  resourceTypes: Schema.NullOr(Schema.Array(Schema.String)),
  sensitiveCategories: Schema.Array(Schema.String),
  includeSelfReported: Schema.Boolean,
  includeDocuments: Schema.Boolean
})

const LinkRow = Schema.Struct({
  ...shared,
  id: LinkId,
  recipientName: Schema.String,
  recipientEmailCiphertext: Schema.Uint8Array,
  documentId: Schema.NullOr(DocumentId),
  authorizationCiphertext: Schema.NullOr(Schema.Uint8Array),
  notifiedAt: Schema.NullOr(Schema.Date),
  openedAt: Schema.NullOr(Schema.Date),
  codeSentAt: Schema.NullOr(Schema.Date),
  viewedAt: Schema.NullOr(Schema.Date)
})

const ReleaseRow = Schema.Struct({ ...shared, id: DocumentId, authorizationCiphertext: Schema.Uint8Array })

const LooksRow = Schema.Struct({ subjectId: Schema.String, looks: Schema.Finite, lastAt: Schema.Date })

/**
 * The statements below first select the rows of a page in the order of an index, and then compute why each has ended.
 * What is stored as active may have ended all the same: such rows are few, because a sweep marks them as expired.
 */
const ofVeteran = (sql: SqlClient.SqlClient, { after, id, veteranId }: SharingQuery) =>
  sql.and([
    sql`veteran_id = ${veteranId}`,
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(after === undefined ? [] : [sql`id < ${after}`])
  ])

const within = (sql: SqlClient.SqlClient, { isActive, limit }: SharingQuery) =>
  sql`${isActive === undefined ? sql.literal("") : isActive ? sql`where ended is null` : sql`where ended is not null`}
      order by id desc limit ${limit}`

const grantsOf = (sql: SqlClient.SqlClient, query: SharingQuery) => {
  const { endedGrants = query.limit, isActive, limit } = query
  const own = sql`select * from consent_grants where ${ofVeteran(sql, query)}`
  if (isActive === undefined) return sql`${own} order by id desc limit ${limit}`
  if (isActive) return sql`${own} and status = 'active' and expires_at > statement_timestamp()`
  return sql`(${own} and status <> 'active' order by id desc limit ${Math.min(limit, endedGrants)})
             union all (${own} and status = 'active')`
}

/** The newest first, as all lists below. */
export const grants = (query: SharingQuery) =>
  asActor.all(GrantRow, (sql) =>
    sql`select * from (
          select g.id, case when g.client_id is null then 'provider' else 'app' end as kind, g.purpose, g.resource_types,
            g.sensitive_categories, g.include_self_reported, g.include_documents, g.granted_at as since,
            g.expires_at as until,
            jsonb_build_object('name', coalesce(p.display_name, c.name), 'organization', p.organization, 'email', p.email,
              'npi', p.npi) as who,
            case
              when g.superseded_by is not null then 'superseded'
              when g.status = 'revoked' then 'revoked'
              when g.status = 'expired' or g.expires_at <= statement_timestamp() then 'expired'
              when coalesce(p.disabled_at, c.disabled_at) is not null then 'disabled'
            end as ended
          from (${grantsOf(sql, query)}) g left join providers p on p.id = g.provider_id
            left join oauth_clients c on c.id = g.client_id
        ) grants ${within(sql, query)}`)

/** A link that expires within this statement is looked at by both lists, which compute its status. */
const linksOf = (sql: SqlClient.SqlClient, query: SharingQuery) => {
  const { isActive, limit } = query
  const page = sql`order by id desc limit ${limit}`
  const own = sql`select l.* from secure_links l where ${ofVeteran(sql, query)}`
  if (isActive === undefined) return sql`${own} ${page}`
  if (isActive) return sql`${own} and status = 'active' and app.link_status(l) = 'active' ${page}`
  return sql`(${own} and status <> 'active' ${page})
             union all (${own} and status = 'active' and expires_at <= statement_timestamp() + interval '1 minute')`
}

/** A link of a release that was deleted has no document. */
export const links = (query: SharingQuery) =>
  asActor.all(LinkRow, (sql) =>
    sql`select * from (
          select l.id, l.recipient_name, l.recipient_email_ciphertext, d.id as document_id, d.authorization_ciphertext,
            l.created_at as since, l.expires_at as until, l.notified_at, l.opened_at, l.code_sent_at, l.viewed_at,
            case app.link_status(l)
              when 'active' then null
              when 'expired' then 'expired'
              else case
                when r.revoked_at <= coalesce(l.disabled_at, r.revoked_at) then
                  case when r.superseded_by is null then 'revoked' else 'superseded' end
                when l.wrong_codes >= ${linkLimits.wrongCodesPerLink}::int then 'wrong_codes'
                else 'revoked'
              end
            end as ended
          from secure_links l
            left join documents d on d.veteran_id = l.veteran_id and d.id = l.document_id
            left join lateral (
              select * from roi_revocations where veteran_id = l.veteran_id and document_id = l.document_id limit 1
            ) r on true
          where l.veteran_id = ${query.veteranId} and l.id = any (array(select id from (${linksOf(sql, query)}) page))
        ) links ${within(sql, query)}`)

/** Reads past the others of the veteran's releases, which are as many as their storage has room for. */
const releasesOf = (sql: SqlClient.SqlClient, query: SharingQuery) => {
  const { isActive, limit } = query
  const inForce = sql`(ends_at > statement_timestamp() and not exists (
    select from roi_revocations r where r.veteran_id = d.veteran_id and r.document_id = d.id
  ))`
  return sql`select id from documents d where ${ofVeteran(sql, query)} and kind = 'roi'
             ${isActive === undefined ? sql.literal("") : isActive ? sql`and ${inForce}` : sql`and not ${inForce}`}
             order by id desc limit ${limit}`
}

export const releases = (query: SharingQuery) =>
  asActor.all(ReleaseRow, (sql) =>
    sql`select * from (
          select d.id, d.authorization_ciphertext, d.signed_at as since, d.ends_at as until,
            nullif(app.release_status(d, r), 'in_force') as ended
          from documents d
            left join roi_revocations r on r.veteran_id = d.veteran_id and r.document_id = d.id
          where d.veteran_id = ${query.veteranId} and d.id = any (array(${releasesOf(sql, query)}))
        ) releases ${within(sql, query)}`)

/** How often somebody read under these grants and links. */
export const looks = (subjects: ReadonlyArray<string>) =>
  asActor.all(
    LooksRow,
    (sql) => sql`select subject_id, looks::float8 as looks, last_at from app.looks_at(${subjects}::uuid[])`
  )

const StoppedRow = Schema.Struct({ grants: Schema.Int, apps: Schema.Int, links: Schema.Int, releases: Schema.Int })

/** Stops all that the veteran of the transaction shares. Counts by how many of each somebody could read. */
export const stopAll = asActor.one(StoppedRow, (sql) => sql`select * from app.stop_sharing()`)

export const stopGrant = (veteranId: VeteranId, id: string) =>
  ActorTransaction.use((sql) =>
    sql`update consent_grants g set status = 'revoked', revoked_at = now()
        where g.veteran_id = ${veteranId} and g.id = ${id} and g.status = 'active' and g.expires_at > now()`
  )

export const stopLink = (veteranId: VeteranId, id: string) =>
  ActorTransaction.use((sql) =>
    sql`update secure_links l set status = 'disabled', disabled_at = clock_timestamp()
        where l.veteran_id = ${veteranId} and l.id = ${id} and l.status = 'active'
          and l.expires_at > clock_timestamp()`
  )

/** A release that ends takes its links with it (migrations/014). */
export const stopRelease = (veteranId: VeteranId, id: string) =>
  ActorTransaction.use((sql) =>
    sql`insert into roi_revocations (veteran_id, document_id)
        select d.veteran_id, d.id from documents d where d.veteran_id = ${veteranId} and d.id = ${id} and app.in_force(d)
        on conflict do nothing`
  )
