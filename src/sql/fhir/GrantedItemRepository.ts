import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor } from "../Rows.ts"

/** An app's reads of a record, as the actor `app`: row-level security decides which rows it sees. */

const GrantedItemRow = Schema.Struct({
  resourceType: Schema.String,
  fhirId: Schema.String,
  syncedAt: Schema.Date,
  sealedBytes: Schema.Int,
  /** Null if the rows before it already fill the page. */
  rawCiphertext: Schema.NullOr(Schema.Uint8Array)
})

export type GrantedItemRow = typeof GrantedItemRow.Type

/** First and last millisecond since the epoch, both inclusive; infinite if that side is open. */
export interface Between {
  readonly first: number
  readonly last: number
}

/** Search conditions in addition to the types; undefined `ids` and empty `stored` mean no condition. */
export interface Conditions {
  readonly ids: ReadonlyArray<string> | undefined
  /** The item must have been last stored within at least one interval of every list. */
  readonly stored: ReadonlyArray<ReadonlyArray<Between>>
  /** The item must refer to one of these names (services/record/ReferenceHashes.ts). */
  readonly refersTo?: ReadonlyArray<bigint>
}

const moment = (sql: SqlClient.SqlClient, milliseconds: number) => sql`to_timestamp(${milliseconds}::float8 / 1000)`

const storedBetween = (sql: SqlClient.SqlClient, { first, last }: Between) =>
  sql.and([
    sql`true`,
    ...(first === -Infinity ? [] : [sql`i.synced_at >= ${moment(sql, first)}`]),
    ...(last === Infinity ? [] : [sql`i.synced_at < ${moment(sql, last + 1)}`])
  ])

const hashes = (names: ReadonlyArray<bigint>) => Result.getOrThrow(PgTypes.array(names, PgTypes.OID.int8))

const meets = (sql: SqlClient.SqlClient, { ids, refersTo, stored }: Conditions) =>
  sql.and([
    sql`i.active`,
    ...(ids === undefined ? [] : [sql`i.fhir_id = any (${ids}::text[])`]),
    ...stored.map((times) => sql.or(times.map((time) => storedBetween(sql, time)))),
    // PostgreSQL looks up each reference in a hash table of the names. The operator && would compare each with each.
    ...(refersTo === undefined ? [] : [
      sql`exists (select from unnest(i.refers_to) as name where name = any (${hashes(refersTo)}::bigint[]))`
    ])
  ])

/**
 * Returns the first `limit` items after `after`, ordered by type and id. Like `HealthRecordRepository.sections`, it
 * never reads withheld items, so its duration does not disclose them. It does not read types beyond the page.
 */
export const page = ({ after, bytes, limit, resourceTypes, veteranId, ...conditions }: Conditions & {
  readonly veteranId: VeteranId
  readonly resourceTypes: ReadonlyArray<string>
  readonly after: { readonly resourceType: string; readonly fhirId: string } | undefined
  readonly limit: number
  readonly bytes: number
}) => {
  const { fhirId, resourceType } = after ?? { resourceType: "", fhirId: "" }
  const { ids, refersTo, stored } = conditions
  const needed = ids === undefined && refersTo === undefined && stored.length === 0 ? limit : null
  return asActor.all(
    GrantedItemRow,
    (sql) =>
      sql`select resource_type, fhir_id, synced_at, octet_length(raw_ciphertext) as sealed_bytes,
            case when sum(octet_length(raw_ciphertext)) over (order by resource_type, fhir_id)
              - octet_length(raw_ciphertext) < ${bytes}::bigint then raw_ciphertext end as raw_ciphertext
          from (
            select i.resource_type, i.fhir_id, i.synced_at, i.raw_ciphertext
            from (
              select *, sum(case when resource_type = ${resourceType} then 0 else items end)
                over (order by resource_type range between unbounded preceding and current row exclude group) as before
              from health_record_counts
              where veteran_id = ${veteranId} and resource_type = any (${resourceTypes}::text[]) and items > 0
                and resource_type >= ${resourceType}
            ) c cross join lateral (
              select * from health_record_items i
              where i.veteran_id = c.veteran_id and i.type_and_set = c.resource_type || '/' || c.category_set::text
                and i.fhir_id > case when c.resource_type = ${resourceType} then ${fhirId} else '' end
                and ${meets(sql, conditions)}
              order by i.fhir_id limit ${limit}
            ) i
            where ${needed}::int is null or coalesce(c.before, 0) < ${needed}
            order by i.resource_type, i.fhir_id limit ${limit}
          ) i order by resource_type, fhir_id`
  )
}

const GrantedHeadRow = Schema.Struct({
  syncedAt: Schema.Date,
  contentMac: Schema.Uint8Array,
  /** Null if it is larger than `largest` bytes. */
  rawCiphertext: Schema.NullOr(Schema.Uint8Array)
})

/** Returns an item, with its sealed text if that has at most `largest` bytes. */
export const item = ({ fhirId, largest, resourceType, veteranId }: {
  readonly veteranId: VeteranId
  readonly resourceType: string
  readonly fhirId: string
  readonly largest: number
}) =>
  asActor.option(
    GrantedHeadRow,
    (sql) =>
      sql`select i.synced_at, i.content_mac,
            case when octet_length(i.raw_ciphertext) <= ${largest}::bigint then i.raw_ciphertext end as raw_ciphertext
          from health_record_counts c join health_record_items i
            on i.veteran_id = c.veteran_id and i.type_and_set = c.resource_type || '/' || c.category_set::text
              and i.active and i.fhir_id = ${fhirId}
          where c.veteran_id = ${veteranId} and c.resource_type = ${resourceType} and c.items > 0`
  )

/** Returns the number of items that have one of the types and meet the conditions. */
export const count = ({ resourceTypes, veteranId, ...conditions }: Conditions & {
  readonly veteranId: VeteranId
  readonly resourceTypes: ReadonlyArray<string>
}) =>
  asActor.one(
    Schema.Struct({ items: Schema.Int }),
    (sql) =>
      sql`select count(i.fhir_id)::int as items from health_record_counts c join health_record_items i
            on i.veteran_id = c.veteran_id and i.type_and_set = c.resource_type || '/' || c.category_set::text
              and ${meets(sql, conditions)}
          where c.veteran_id = ${veteranId} and c.resource_type = any (${resourceTypes}::text[]) and c.items > 0`
  )

/** Returns the number of sealed bytes of a type's items. */
export const sealedBytes = (veteranId: VeteranId, resourceType: string) =>
  asActor.value(
    Schema.Finite,
    (sql) =>
      sql`select coalesce(sum(octet_length(i.raw_ciphertext)), 0)::float8 as bytes
            from health_record_counts c join health_record_items i
              on i.veteran_id = c.veteran_id and i.type_and_set = c.resource_type || '/' || c.category_set::text
                and i.active
            where c.veteran_id = ${veteranId} and c.resource_type = ${resourceType} and c.items > 0`
  )

/** Whether any item of the types refers to the first name and not to the second. Like `page`, it reads no others. */
export const refersWithout = ({ first, resourceTypes, second, veteranId }: {
  readonly veteranId: VeteranId
  readonly resourceTypes: ReadonlyArray<string>
  readonly first: bigint
  readonly second: bigint
}) =>
  asActor.value(
    Schema.Boolean,
    (sql) =>
      sql`select exists (
              select from health_record_counts c join health_record_items i
                on i.veteran_id = c.veteran_id and i.type_and_set = c.resource_type || '/' || c.category_set::text
                  and i.active and ${first}::bigint = any (i.refers_to) and ${second}::bigint <> all (i.refers_to)
              where c.veteran_id = ${veteranId} and c.resource_type = any (${resourceTypes}::text[]) and c.items > 0
            ) as found`
  )

const StateRow = Schema.Struct({
  callSign: Schema.String,
  fhirSyncManifest: Schema.Unknown,
  counts: Schema.Record(Schema.String, Schema.Int)
})

/** Returns the number of items per type and the sync manifest. If `resourceTypes` is null, every type is counted. */
export const state = (veteranId: VeteranId, resourceTypes: ReadonlyArray<string> | null) =>
  asActor.one(
    StateRow,
    (sql) =>
      sql`select call_sign, fhir_sync_manifest, (
            select coalesce(jsonb_object_agg(resource_type, count), '{}') from (
              select resource_type, sum(items)::int as count from health_record_counts
              where veteran_id = v.id and items > 0
                and (${resourceTypes}::text[] is null or resource_type = any (${resourceTypes}))
              group by resource_type
            ) visible
          ) as counts
          from veterans v where id = ${veteranId}`
  )

const ProvedRow = Schema.Struct({ active: Schema.Boolean, fhirSyncManifest: Schema.Unknown })

/** Writes the proof of an app's reading. Returns the manifest, and whether the grant is still active after the read. */
export const prove = (veteranId: VeteranId, types: Readonly<Record<string, number>>) =>
  asActor.one(
    ProvedRow,
    (sql) =>
      sql`select exists (select from app.active_grants()) as active, fhir_sync_manifest,
            app.prove_app_reading(${PgTypes.jsonb(types)})
          from veterans where id = ${veteranId}`
  )

/** Whether the grant is still active. If it has ended, the policies show no rows, which looks like an empty record. */
export const isGranted = asActor.value(
  Schema.Boolean,
  (sql) => sql`select exists (select from app.active_grants()) as active`
)

/**
 * Returns the ids of at most two active Patients that the categories admit, because the caller needs to know only
 * whether there is exactly one. The actor is the veteran, so the grant's types do not limit the result. Like `page`, it
 * never reads withheld items.
 */
export const patients = (veteranId: VeteranId, categories: ReadonlyArray<string>) =>
  asActor.values(
    Schema.String,
    (sql) =>
      sql`select i.fhir_id from health_record_counts c cross join lateral (
              select fhir_id from health_record_items
              where veteran_id = c.veteran_id and type_and_set = c.resource_type || '/' || c.category_set::text and active
              order by fhir_id limit 2
            ) i
            where c.veteran_id = ${veteranId} and c.resource_type = 'Patient' and c.items > 0
              and c.category_set & ~app.category_set(${categories}::text[]) = 0
            limit 2`
  )
