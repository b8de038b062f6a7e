import { Schema } from "effect"
import { type DisclosureFilter, DisclosureKind } from "../../domain/Disclosure.ts"
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

/** Lists events that were not erased, newest first. Encrypted events of a provider are found by `providerHash`. */
export const list = (
  { after, filter: { from, kind, providerId, to }, limit, providerHash, veteranId }: PageQuery & {
    readonly veteranId: VeteranId
    readonly filter: DisclosureFilter
    readonly providerHash: Uint8Array | undefined
  }
) =>
  asActor.all(EventRow, (sql) => {
    const matches = sql.and([
      sql`veteran_id = ${veteranId}`,
      sql`(event is not null or leaf_ciphertext is not null)`,
      ...(after === undefined ? [] : [sql`id < ${after}`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(from === undefined ? [] : [sql`at >= ${from}`]),
      ...(to === undefined ? [] : [sql`at <= ${to}`]),
      ...(providerId === undefined || providerHash === undefined ? [] : [sql.or([
        sql`provider_hash = ${providerHash}`,
        sql`event ->> 'providerId' = ${providerId}`,
        sql`event @> jsonb_build_object('actor', jsonb_build_object('kind', 'provider', 'id', ${providerId}::text))`
      ])])
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

/** Returns the current names of the veteran, of these providers and apps, and of the recipients of these links. */
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
            from secure_links l where l.veteran_id = v.id and l.id = any (${ids.links}::uuid[])
          ) as links
        from veterans v where v.id = ${veteranId}`)

const TitleRow = Schema.Struct({ id: DocumentId, title: Schema.Uint8Array })

/** Returns the sealed titles of the documents that still exist. */
export const titles = (veteranId: VeteranId, ids: ReadonlyArray<string>) =>
  asActor.all(
    TitleRow,
    (sql) => sql`select id, title from documents where veteran_id = ${veteranId} and id = any (${ids}::uuid[])`
  )
