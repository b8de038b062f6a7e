import { Schema } from "effect"
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

/**
 * Lists events that were not erased, newest first. Encrypted events are found by `providerHash` and the subjects'
 * hashes. Those that were encrypted before there were such hashes are listed too: the caller opens and filters them.
 */
export const list = (
  { about, after, filter: { about: acts, from, kind, providerId, to }, limit, providerHash, veteranId }: PageQuery & {
    readonly veteranId: VeteranId
    readonly filter: DisclosureFilter
    readonly providerHash: Uint8Array | undefined
    readonly about: ReadonlyArray<About>
  }
) =>
  asActor.all(EventRow, (sql) => {
    const matches = sql.and([
      sql`veteran_id = ${veteranId}`,
      sql`(event is not null or leaf_ciphertext is not null)`,
      ...(after === undefined ? [] : [sql`id < ${after}`]),
      ...(kind === undefined ? [] : [sql`kind = any (${kind}::text[])`]),
      ...(acts === undefined ? [] : [sql`kind = any (${looks}::text[])`]),
      ...(from === undefined ? [] : [sql`at >= ${from}`]),
      ...(to === undefined ? [] : [sql`at <= ${to}`]),
      ...(providerId === undefined || providerHash === undefined ? [] : [sql.or([
        sql`provider_hash = ${providerHash}`,
        sql`event ->> 'providerId' = ${providerId}`,
        sql`event @> jsonb_build_object('actor', jsonb_build_object('kind', 'provider', 'id', ${providerId}::text))`
      ])]),
      ...about.map(({ hash, id, subject }) =>
        sql.or([
          sql`position(${hash}::bytea in subject_hashes) > 0`,
          sql`leaf_ciphertext is not null and subject_hashes is null`,
          sql`event ->> ${subject}::text = ${id}`,
          ...(subject === "clientId"
            ? [sql`event @> jsonb_build_object('actor', jsonb_build_object('kind', 'app', 'id', ${id}::text))`]
            : [])
        ])
      )
    ])
    return sql`select id, veteran_id, kind, at, event, leaf_ciphertext, tree_index::float8 as tree_index
               from proofs where ${matches} order by id desc limit ${limit}`
  })

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
