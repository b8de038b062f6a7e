import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Result, Schema } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { ActorTransaction } from "../Actor.ts"
import { asActor } from "../Rows.ts"

const Categories = Schema.Array(SensitiveCategory)

const ClassifiedRow = Schema.Struct({
  resourceType: Schema.String,
  fhirId: Schema.String,
  /** Categories of the item's own content. */
  ownCategories: Categories,
  /** Stored categories, which include those of the items that it refers to. */
  sensitiveCategories: Categories
})

/** Lists the items that have a category, active or not. A removed item stays listed with its last categories. */
export const list = (veteranId: VeteranId) =>
  asActor.all(
    ClassifiedRow,
    (sql) =>
      sql`select resource_type, fhir_id, own_categories, sensitive_categories from health_record_items
        where veteran_id = ${veteranId} and sensitive_categories <> '{}'
        union all
        select resource_type, fhir_id, sensitive_categories, sensitive_categories from health_record_tombstones t
        where veteran_id = ${veteranId} and not exists (
          select from health_record_items i
          where i.veteran_id = t.veteran_id and i.resource_type = t.resource_type and i.fhir_id = t.fhir_id
        )`
  )

const GraphRow = Schema.Struct({ items: Schema.String, targets: Schema.Uint8Array, sources: Schema.Uint8Array })

/**
 * Returns the graph of references. `items` lists the referring items as `Type/id`, separated by spaces. `targets` holds
 * the sorted hashes of their targets, 8 bytes each. For each target, `sources` holds the position in `items` of the
 * item that refers to it, 4 bytes each.
 */
export const references = (veteranId: VeteranId) =>
  asActor.one(GraphRow, (sql) =>
    sql`with item as materialized (
          select row_number() over () - 1 as place, resource_type || '/' || fhir_id as name, refers_to
          from health_record_items where veteran_id = ${veteranId} and refers_to <> '{}'
        ), reference as (
          select place, unnest(refers_to) as target from item
        )
        select coalesce((select string_agg(name, ' ' order by place) from item), '') as items,
          coalesce(string_agg(int8send(target), ''::bytea order by target), '') as targets,
          coalesce(string_agg(int4send(place::int), ''::bytea order by target), '') as sources
        from reference`)

export interface Reclassified {
  readonly resourceType: string
  readonly fhirId: string
  readonly categories: ReadonlyArray<SensitiveCategory>
}

/** An item that loses a category is new, at `moment`, to those from whom it was withheld. */
export const reclassify = Effect.fnUntraced(function*(
  veteranId: VeteranId,
  items: ReadonlyArray<Reclassified>,
  moment: Date
) {
  if (items.length === 0) return
  const sql = yield* ActorTransaction
  const array = (value: (item: Reclassified) => string) =>
    Result.getOrThrow(PgTypes.array(items.map(value), PgTypes.OID.text))
  yield* sql`
    update health_record_items i set sensitive_categories = u.now_in,
      synced_at = case when i.sensitive_categories <@ u.now_in then synced_at else ${moment}::timestamptz end,
      first_synced_at = case when i.sensitive_categories <@ u.now_in then first_synced_at else ${moment}::timestamptz end
    from (select resource_type, fhir_id, string_to_array(categories, ',') as now_in from unnest(
      ${array((item) => item.resourceType)}::text[], ${array((item) => item.fhirId)}::text[],
      ${array((item) => item.categories.join(","))}::text[]
    ) as changed (resource_type, fhir_id, categories)) u
    where i.veteran_id = ${veteranId} and i.resource_type = u.resource_type and i.fhir_id = u.fhir_id`
})
