import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Result, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { DeletionPending } from "../../domain/Deletion.ts"
import type { GrantId, VeteranId } from "../../domain/Id.ts"
import { pageBytes } from "../../domain/Page.ts"
import * as VeteranRepository from "../account/VeteranRepository.ts"
import { ActorTransaction } from "../Actor.ts"
import { codesOf } from "../ErrorCodes.ts"
import { asActor } from "../Rows.ts"
import { RecordSize } from "./RecordSizeRepository.ts"

const ItemRow = Schema.Struct({
  id: Schema.String,
  resourceType: Schema.String,
  fhirId: Schema.String,
  active: Schema.Boolean,
  syncedAt: Schema.Date,
  /** Null if the rows before it already hold `pageBytes` bytes. */
  rawCiphertext: Schema.NullOr(Schema.Uint8Array)
})

export type ItemRow = typeof ItemRow.Type

const OwnItemRow = Schema.Struct({ ...ItemRow.fields, sensitiveCategories: Schema.Array(Schema.String) })

/** An item as its veteran sees it; a provider sees no categories. */
export type OwnItemRow = typeof OwnItemRow.Type

/** The columns of `ItemRow`. The sum needs only lengths, which PostgreSQL knows without reading TOASTed values. */
const columns = (sql: SqlClient.SqlClient) =>
  sql`id, resource_type, fhir_id, active, synced_at,
      case when sum(octet_length(raw_ciphertext)) over (order by resource_type, fhir_id) - octet_length(raw_ciphertext)
        < ${pageBytes}::bigint then raw_ciphertext end as raw_ciphertext`

/** Last item of the previous page; items are ordered by type and FHIR id. */
export interface ItemPosition {
  readonly resourceType: string
  readonly fhirId: string
}

export const list = ({ after, includeInactive, limit, resourceType, veteranId }: {
  readonly veteranId: VeteranId
  readonly resourceType: string | undefined
  readonly includeInactive: boolean
  readonly after: ItemPosition | undefined
  readonly limit: number
}) =>
  asActor.all(OwnItemRow, (sql) => {
    const matches = sql.and([
      sql`veteran_id = ${veteranId}`,
      ...(resourceType === undefined ? [] : [sql`resource_type = ${resourceType}`]),
      ...(includeInactive ? [] : [sql`active`]),
      ...(after === undefined ? [] : [sql`(resource_type, fhir_id) > (${after.resourceType}, ${after.fhirId})`])
    ])
    return sql`select ${columns(sql)}, sensitive_categories from (
                 select * from health_record_items where ${matches} order by resource_type, fhir_id limit ${limit}
               ) i order by resource_type, fhir_id`
  })

/**
 * Returns, for each type, the first `limit` items after `after` that the actor may see. `health_record_counts` tells
 * which combinations of categories the actor may see. The query reads only their items, by an index. It never reads
 * withheld items, so its duration does not disclose them (38 U.S.C. 7332).
 */
export const sections = ({ after, limit, resourceTypes, veteranId }: {
  readonly veteranId: VeteranId
  readonly resourceTypes: ReadonlyArray<string>
  readonly after: string | undefined
  readonly limit: number
}) =>
  asActor.all(
    ItemRow,
    (sql) =>
      sql`select ${columns(sql)} from (
          select i.*, row_number() over (partition by i.resource_type order by i.fhir_id) as place
          from health_record_counts c cross join lateral (
            select * from health_record_items
            where veteran_id = c.veteran_id and type_and_set = c.resource_type || '/' || c.category_set::text
              and active and fhir_id > ${after ?? ""}
            order by fhir_id limit ${limit}
          ) i
          where c.veteran_id = ${veteranId} and c.resource_type = any (${resourceTypes}::text[]) and c.items > 0
        ) i where place <= ${limit} order by resource_type, fhir_id`
  )

const ShownRow = Schema.Struct({ counts: Schema.Record(Schema.String, Schema.Int) })

/** Numbers of other entries shown with the record. */
export interface ShownBesides {
  readonly selfReportedEntries: number
  readonly notes: number
  readonly documents: number
}

/** A moment at which a provider looked at a record, and the time of the newest sync that they saw. */
export interface Look {
  readonly at: Date
  readonly seenUntil: Date
}

/** Selects the number of items by type that the actor may see, among the counts that match. */
export const visibleCounts = (sql: SqlClient.SqlClient, matching: Statement.Fragment) =>
  sql`select coalesce(jsonb_object_agg(resource_type, count), '{}') as counts from (
        select resource_type, sum(items)::int as count from health_record_counts
        where ${matching} and items > 0 group by resource_type
      ) visible`

/**
 * Returns the number of items of each type that the provider sees. Writes the view's proof (migrations/020) and, if
 * there is one, the look (migrations/028).
 */
export const countShown = ({ besides, grantId, look, resourceTypes, veteranId }: {
  readonly veteranId: VeteranId
  readonly grantId: GrantId
  readonly resourceTypes: ReadonlyArray<string>
  readonly besides: ShownBesides
  readonly look?: Look | undefined
}) =>
  Effect.map(
    asActor.one(ShownRow, (sql) =>
      sql`with shown as materialized (
            ${visibleCounts(sql, sql`veteran_id = ${veteranId} and resource_type = any (${resourceTypes}::text[])`)}
          )
          select counts, app.prove_view(${grantId}, counts, ${PgTypes.jsonb(besides)})${
        look === undefined
          ? sql.literal("")
          : sql`, app.note_look(${look.at}::timestamptz, ${look.seenUntil}::timestamptz)`
      } from shown`),
    ({ counts }) => new Map(Object.entries(counts))
  )

/** Keyed hashes (base64) of a type's last complete sync: of the `list` as received and its `digest` (TypeDigest.ts). */
const ListHashes = Schema.Struct({ list: Schema.String, digest: Schema.String })

/** Keyed by type. A type has an entry only if the last sync that wrote its items was complete. */
export type ListHashes = Readonly<Record<string, typeof ListHashes.Type>>

const ManifestRow = Schema.Struct({
  fhirSyncManifest: Schema.Unknown,
  fhirListHashes: Schema.Record(Schema.String, ListHashes),
  moment: Schema.Date,
  /** The veteran asked to be forgotten. */
  deleting: Schema.Boolean,
  ...RecordSize.fields
})

/** Takes the veteran's lock, so that no other transaction changes the manifest until this one ends. */
export const lockManifest = (veteranId: VeteranId) =>
  Effect.andThen(
    VeteranRepository.lock(veteranId),
    // A second statement, so that its time is read after the lock was taken and is later than the previous sync's.
    asActor.option(ManifestRow, (sql) =>
      sql`select fhir_sync_manifest, fhir_list_hashes, clock_timestamp() as moment,
            exists (select from app.deletion_of(id) d where d.ends_at is not null) as deleting,
            coalesce(active_bytes, 0)::float8 as active, coalesce(inactive_bytes, 0)::float8 as inactive
          from veterans left join health_record_sizes on veteran_id = id
          where id = ${veteranId} and deleted_at is null`)
  )

/**
 * Writes a sync's manifest, hashes and proof. `types` maps each type of the sync to its number of active items. Fails if
 * the veteran asked to be forgotten while the sync ran.
 */
export const saveManifest = (
  veteranId: VeteranId,
  { hashes, manifest, types }: {
    readonly manifest: unknown
    readonly hashes: ListHashes
    readonly types: Readonly<Record<string, number>>
  }
) =>
  ActorTransaction.use((sql) =>
    sql`update veterans set fhir_sync_manifest = ${PgTypes.jsonb(manifest)}, fhir_list_hashes = ${PgTypes.jsonb(hashes)}
        where id = ${veteranId}
        returning app.prove_sync(${PgTypes.jsonb(types)})`
  ).pipe(Effect.catchIf(
    (error) => codesOf(error).sqlState === "VR409",
    () => Effect.fail(new DeletionPending())
  ))

const StoredRow = Schema.Struct({
  resourceType: Schema.String,
  fhirIds: Schema.String,
  activities: Schema.String,
  macs: Schema.Uint8Array
})

export type StoredRow = typeof StoredRow.Type

/** A type may have hundreds of thousands of items. They are returned in rows of at most this many. */
const maxItemsPerRow = 10_000

/** Returns the ids, states and hashes of the stored items of some types, in one or more rows per type. */
export const stored = (veteranId: VeteranId, resourceTypes: ReadonlyArray<string>) =>
  asActor.all(
    StoredRow,
    (sql) =>
      sql`select resource_type, string_agg(fhir_id, ' ' order by fhir_id) as fhir_ids,
          string_agg(case when active then '+' else '-' end, '' order by fhir_id) as activities,
          string_agg(content_mac, '' order by fhir_id) as macs
        from (
          select *, row_number() over (partition by resource_type order by fhir_id) / ${maxItemsPerRow}::int as part
          from health_record_items
          where veteran_id = ${veteranId} and resource_type = any (${resourceTypes}::text[])
        ) i
        group by resource_type, part`
  )

export interface SealedItem {
  readonly id: string
  readonly resourceType: string
  readonly fhirId: string
  /** Length of its envelope, in bytes. */
  readonly length: number
  /** The categories of the item's own content. */
  readonly ownCategories: ReadonlyArray<string>
  /** Hashes of the references in the item, separated by commas. */
  readonly refersTo: string
}

/** All envelopes form one byte string, as do all MACs. PostgreSQL's driver copies each array element three times. */
export interface SealedBatch {
  readonly items: ReadonlyArray<SealedItem>
  readonly envelopes: Uint8Array
  readonly macs: Uint8Array
}

interface Storing {
  readonly mayReplace: boolean
  /** The sync's time in its manifest. Looks at a record (migrations/028) are compared with it. */
  readonly moment: Date
}

/**
 * Inserts many items in one statement. With `mayReplace`, existing items are replaced and become active again. A first
 * sync does not set it, because looking for existing items would take a sixth of its time. Later, `reclassify` also
 * gives each item the categories of the items that it refers to.
 */
export const store = (
  veteranId: VeteranId,
  { envelopes, items, macs }: SealedBatch,
  { mayReplace, moment }: Storing
) =>
  Effect.asVoid(ActorTransaction.use((sql) => {
    let end = 0
    const starts = items.map(({ length }) => (end += length) - length + 1)
    const array = (oid: number, value: (item: SealedItem) => unknown) =>
      Result.getOrThrow(PgTypes.array(items.map(value), oid))
    return sql`
    insert into health_record_items as i
      (veteran_id, id, resource_type, fhir_id, raw_ciphertext, content_mac, own_categories, sensitive_categories,
       refers_to, first_synced_at, synced_at)
    select ${veteranId}, u.id, u.resource_type, u.fhir_id, substr(${envelopes}::bytea, u.start, u.length),
      substr(${macs}::bytea, (u.n::int - 1) * 32 + 1, 32),
      string_to_array(u.categories, ','), string_to_array(u.categories, ','), string_to_array(u.refers_to, ',')::bigint[],
      ${moment}::timestamptz, ${moment}::timestamptz
    from unnest(
      ${array(PgTypes.OID.uuid, (item) => item.id)}::uuid[],
      ${array(PgTypes.OID.text, (item) => item.resourceType)}::text[],
      ${array(PgTypes.OID.text, (item) => item.fhirId)}::text[],
      ${Result.getOrThrow(PgTypes.array(starts, PgTypes.OID.int4))}::int[],
      ${array(PgTypes.OID.int4, (item) => item.length)}::int[],
      ${array(PgTypes.OID.text, (item) => item.ownCategories.join(","))}::text[],
      ${array(PgTypes.OID.text, (item) => item.refersTo)}::text[]
    ) with ordinality as u (id, resource_type, fhir_id, start, length, categories, refers_to, n)
    ${mayReplace ? replacing(sql) : sql.literal("")}`
  }))

/**
 * An item that was inactive or in more categories is new to its readers. If it were told as changed, they would learn
 * that it had been withheld (38 U.S.C. 7332).
 */
const replacing = (sql: SqlClient.SqlClient) =>
  sql`on conflict (veteran_id, resource_type, fhir_id) do update set
    raw_ciphertext = excluded.raw_ciphertext, content_mac = excluded.content_mac,
    own_categories = excluded.own_categories, sensitive_categories = excluded.sensitive_categories,
    refers_to = excluded.refers_to, active = true, deactivated_at = null, synced_at = excluded.synced_at,
    first_synced_at = case when i.active and i.sensitive_categories <@ excluded.sensitive_categories
      then i.first_synced_at else excluded.first_synced_at end`

/** Limited to one type, so that PostgreSQL uses the primary key even if it misjudges the table's size. */
export const setActive = (
  veteranId: VeteranId,
  { active, fhirIds, resourceType }: {
    readonly active: boolean
    readonly resourceType: string
    readonly fhirIds: ReadonlyArray<string>
  },
  moment: Date
) =>
  ActorTransaction.use((sql) =>
    sql`
    update health_record_items
    set active = ${active}::boolean, deactivated_at = case when ${active}::boolean then null else now() end,
        synced_at = case when ${active}::boolean then ${moment}::timestamptz else synced_at end,
        first_synced_at = case when ${active}::boolean then ${moment}::timestamptz else first_synced_at end
    where veteran_id = ${veteranId} and resource_type = ${resourceType} and fhir_id = any (${fhirIds}::text[])`
  )
