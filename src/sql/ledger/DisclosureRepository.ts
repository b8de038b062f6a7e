import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type DisclosureFilter, DisclosureKind, looks } from "../../domain/Disclosure.ts"
import { ClientId, DocumentId, LinkId, ProviderId, VeteranId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

const EventRow = Schema.Struct({
  id: Schema.String,
  veteranId: VeteranId,
  kind: DisclosureKind,
  at: Schema.Date,
  /** Null once the event is encrypted in `leafCiphertext`. */
  event: Schema.Unknown,
  leafCiphertext: Schema.NullOr(Schema.Uint8Array),
  treeIndex: Schema.NullOr(Schema.Finite)
})

export type EventRow = typeof EventRow.Type

/** What the listed events are about: an id, and its keyed hash. */
interface About {
  readonly subject: "clientId" | "documentId" | "grantId" | "linkId"
  readonly id: string
  readonly hash: Uint8Array
}

interface Filters {
  readonly filter: DisclosureFilter
  readonly providerHash: Uint8Array | undefined
  /** The first one is looked up in an index, and the others are compared. */
  readonly about: ReadonlyArray<About>
}

interface Wanted extends PageQuery, Filters {
  readonly veteranId: VeteranId
}

/**
 * Lists events that were not erased, newest first. Sealed events are found by `providerHash` and the subjects' hashes,
 * each kind by itself in the order of an index (migrations/049). Kind and id are compared together, so that no other
 * index has the order. Rows without hashes of subjects are listed for every subject: the caller opens and filters them.
 */
export const list = (wanted: Wanted) =>
  asActor.all(
    EventRow,
    (sql) =>
      sql`select id, veteran_id, kind, at, event, leaf_ciphertext, tree_index::float8 as tree_index from proofs
        where veteran_id = ${wanted.veteranId} and id = any (array(${sealed(sql, wanted)} union ${others(sql, wanted)}))
        order by id desc limit ${wanted.limit}`
  )

const kindsOf = ({ about, kind = DisclosureKind.literals }: DisclosureFilter): ReadonlyArray<string> =>
  about === undefined ? kind : looks.filter((look) => kind.includes(look))

/** The moments of a list's events as a range of ids: an event's id begins with its moment (migrations/020). */
const idsOf = ({ after, filter: { from, to } }: Wanted) => {
  const end = to === undefined ? lastId : firstIdAt(to.getTime() + 1)
  return { since: firstIdAt(from?.getTime() ?? 0), before: after === undefined || end < after ? end : after }
}

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const firstIdAt = (milliseconds: number) => {
  const time = Math.max(0, milliseconds).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** Sealed events that an index finds. */
const sealed = (sql: SqlClient.SqlClient, wanted: Wanted) => {
  const { about, filter, limit, providerHash = null, veteranId } = wanted
  const { before, since } = idsOf(wanted)
  if (about.length > 0) {
    const hashes = Result.getOrThrow(PgTypes.array(about.map(({ hash }) => hash), PgTypes.OID.bytea))
    return sql`select found.id from app.events_about(${hashes}::bytea[], ${providerHash}::bytea,
      ${kindsOf(filter)}::text[], ${since}::uuid, ${before}::uuid, ${limit}::int) as found (id)`
  }
  return sql`select found.id from unnest(${kindsOf(filter)}::text[]) as wanted (kind) cross join lateral (
      select p.id from proofs p
      where p.veteran_id = ${veteranId} and p.leaf_ciphertext is not null
        and (p.kind, p.id) >= (wanted.kind, ${since}::uuid) and (p.kind, p.id) < (wanted.kind, ${before}::uuid)
        ${providerHash === null ? sql.literal("") : sql`and p.provider_hash = ${providerHash}`}
      order by p.kind desc, p.id desc limit ${limit}
    ) found`
}

/** Events that are not sealed yet. For a subject also those that were sealed before there were hashes of subjects. */
const others = (sql: SqlClient.SqlClient, wanted: Wanted) => {
  const { about, filter, limit, providerHash, veteranId } = wanted
  const { before, since } = idsOf(wanted)
  const { providerId } = filter
  const matches = sql.and([
    sql`veteran_id = ${veteranId} and id >= ${since}::uuid and id < ${before}::uuid`,
    sql`kind = any (${kindsOf(filter)}::text[])`,
    about.length === 0 ? sql`event is not null` : unsorted(sql),
    ...(providerId === undefined || providerHash === undefined ? [] : [sql.or([
      sql`provider_hash = ${providerHash}`,
      sql`event ->> 'providerId' = ${providerId}`,
      sql`event @> jsonb_build_object('actor', jsonb_build_object('kind', 'provider', 'id', ${providerId}::text))`
    ])]),
    ...about.map(({ id, subject }) =>
      sql.or([
        sql`leaf_ciphertext is not null`,
        sql`event ->> ${subject}::text = ${id}`,
        ...(subject === "clientId"
          ? [sql`event @> jsonb_build_object('actor', jsonb_build_object('kind', 'app', 'id', ${id}::text))`]
          : [])
      ])
    )
  ])
  return sql`(select id from proofs where ${matches} order by id desc limit ${limit})`
}

/** The condition of the index `proofs_unsorted`. */
const unsorted = (sql: SqlClient.SqlClient) =>
  sql`(event is not null or leaf_ciphertext is not null and coalesce(octet_length(subject_hashes), 48) > 32)`

const NamesRow = Schema.Struct({
  callSign: Schema.String,
  providers: Schema.Array(Schema.Struct({ id: ProviderId, name: Schema.String })),
  apps: Schema.Array(Schema.Struct({ id: ClientId, name: Schema.String })),
  links: Schema.Array(Schema.Struct({ id: LinkId, recipientName: Schema.String }))
})

/**
 * Returns the current names of the veteran, of these providers and apps, and of the recipients of these links.
 *
 * The links are joined: for an empty list after `any`, PostgreSQL would read a whole partial index, of all veterans.
 */
export const names = (
  veteranId: VeteranId,
  ids: Readonly<Record<"providers" | "apps" | "links", ReadonlyArray<string>>>
) =>
  asActor.one(NamesRow, (sql) =>
    sql`select v.call_sign,
          array(
            select jsonb_build_object('id', p.id, 'name', concat_ws(', ', p.display_name, p.organization))
            from providers p where p.id = any (${ids.providers}::uuid[])
          ) as providers,
          array(
            select jsonb_build_object('id', c.id, 'name', c.name)
            from oauth_clients c where c.id = any (${ids.apps}::uuid[])
          ) as apps,
          array(
            select jsonb_build_object('id', l.id, 'recipientName', l.recipient_name)
            from unnest(${ids.links}::uuid[]) as named (id)
              join secure_links l on l.veteran_id = v.id and l.id = named.id
          ) as links
        from veterans v where v.id = ${veteranId}`)

const TitleRow = Schema.Struct({ id: DocumentId, title: Schema.Uint8Array })

/** Returns the sealed titles of the documents that still exist. */
export const titles = (veteranId: VeteranId, ids: ReadonlyArray<string>) =>
  asActor.all(
    TitleRow,
    (sql) => sql`select id, title from documents where veteran_id = ${veteranId} and id = any (${ids}::uuid[])`
  )
