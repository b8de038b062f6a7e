import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option, Schema } from "effect"
import { type GrantId, type ProviderId, VeteranId } from "../../domain/Id.ts"
import { ActorTransaction } from "../Actor.ts"
import { type Look, visibleCounts } from "../record/HealthRecordRepository.ts"
import { asActor } from "../Rows.ts"

/** A provider's reads and looks at their patients' records. Row-level security decides what each one shows. */

const ListedRow = Schema.Struct({
  veteranId: VeteranId,
  /** The types that the provider's grants cover; null means every type. */
  resourceTypes: Schema.NullOr(Schema.Array(Schema.String)),
  lookedAt: Schema.NullOr(Schema.Date),
  changed: Schema.NullOr(Schema.Boolean),
  /** The one Patient that the provider may see, else null. */
  fhirId: Schema.NullOr(Schema.String),
  /** Null also if the Patient is too large. */
  rawCiphertext: Schema.NullOr(Schema.Uint8Array)
})

export type ListedRow = typeof ListedRow.Type

/**
 * Returns a row for each of the veterans, in their order. It stops after about `bytes` of sealed Patients, and has no
 * sealed Patient of more than `largest` bytes.
 */
export const listed = (veteranIds: ReadonlyArray<VeteranId>, bytes: number, largest: number) =>
  asActor.all(
    ListedRow,
    (sql) => sql`select * from app.listed_patients(${veteranIds}::uuid[], ${bytes}::bigint, ${largest}::int)`
  )

interface Looks {
  readonly present: Look | undefined
  readonly before: Look | undefined
}

const LooksRow = Schema.Struct({
  lookedAt: Schema.Date,
  seenUntil: Schema.Date,
  lookedBeforeAt: Schema.NullOr(Schema.Date),
  seenBeforeUntil: Schema.NullOr(Schema.Date)
})

/** Returns the acting provider's newest look at a record and the one before it, if there are any. */
export const looks = (veteranId: VeteranId, providerId: ProviderId) =>
  Effect.map(
    asActor.option(LooksRow, (sql) =>
      sql`select looked_at, seen_until, looked_before_at, seen_before_until from record_looks
          where veteran_id = ${veteranId} and provider_id = ${providerId}`),
    Option.match({
      onNone: (): Looks => ({ present: undefined, before: undefined }),
      onSome: ({ lookedAt, lookedBeforeAt, seenBeforeUntil, seenUntil }): Looks => ({
        present: { at: lookedAt, seenUntil },
        before: lookedBeforeAt === null || seenBeforeUntil === null
          ? undefined
          : { at: lookedBeforeAt, seenUntil: seenBeforeUntil }
      })
    })
  )

const ChangedRow = Schema.Struct({
  resourceType: Schema.String,
  fhirId: Schema.String,
  how: Schema.Literals(["new", "changed"])
})

/**
 * Returns the first items after `after` that a later sync than `seenUntil` stored, ordered by type and id. Like
 * `HealthRecordRepository.sections`, it reads each visible set of categories in the order of an index, so that withheld
 * items cost no time. An index tells which sets have a newer item. Only those are read, from `after` on.
 * PostgreSQL would make `exists` a join with all items, withheld ones too, so the condition is a value.
 */
export const changes = ({ after, limit, seenUntil, veteranId }: {
  readonly veteranId: VeteranId
  readonly seenUntil: Date
  readonly after: { readonly resourceType: string; readonly fhirId: string } | undefined
  readonly limit: number
}) => {
  const { fhirId, resourceType } = after ?? { resourceType: "", fhirId: "" }
  return asActor.all(ChangedRow, (sql) =>
    sql`select i.resource_type, i.fhir_id,
          case when i.first_synced_at > ${seenUntil}::timestamptz then 'new' else 'changed' end as how
        from health_record_counts c cross join lateral (
          select * from health_record_items
          where veteran_id = c.veteran_id and type_and_set = c.resource_type || '/' || c.category_set::text
            and active and synced_at > ${seenUntil}::timestamptz
            and fhir_id > case when c.resource_type = ${resourceType} then ${fhirId} else '' end
          order by fhir_id limit ${limit}
        ) i
        where c.veteran_id = ${veteranId} and c.items > 0 and c.resource_type >= ${resourceType}
          and (
            select true from health_record_items n
            where n.veteran_id = c.veteran_id and n.type_and_set = c.resource_type || '/' || c.category_set::text
              and n.deactivated_at is null and n.synced_at > ${seenUntil}::timestamptz
            limit 1
          )
        order by i.resource_type, i.fhir_id limit ${limit}`)
}

/** Writes the proof that the provider was told of these items, as of a view (migrations/020). */
export const proveChanges = (grantId: GrantId, items: ReadonlyArray<{ readonly resourceType: string }>) => {
  const counts = [...Map.groupBy(items, ({ resourceType }) => resourceType)].map(([type, of]) => [type, of.length])
  return ActorTransaction.use((sql) =>
    sql`select app.prove_view(${grantId}, ${PgTypes.jsonb(Object.fromEntries(counts))}, '{}')`
  )
}

/** Writes the proof that the provider saves a copy of what they see. Returns false if no grant is active any more. */
export const proveSaving = (veteranId: VeteranId, grantId: GrantId) =>
  Effect.map(
    ActorTransaction.use((sql) =>
      sql`with shown as materialized (${visibleCounts(sql, sql`veteran_id = ${veteranId}`)})
          select app.prove_saving(${grantId}, counts) from shown where exists (select from app.active_grants())`
    ),
    (rows) => rows.length > 0
  )
