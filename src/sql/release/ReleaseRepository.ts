import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ReleaseStatus } from "../../domain/Document.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import { asActor, option } from "../Rows.ts"

const SituationRow = Schema.Struct({
  moment: Schema.Date,
  fhirSyncManifest: Schema.Unknown,
  items: Schema.Array(Schema.Struct({ resourceType: Schema.String, all: Schema.Int, released: Schema.Int }))
})

/**
 * Returns, from one snapshot, a veteran's manifest and two numbers for each type. `all` is the number of active
 * items. `released` is the number of those that a release with the sensitive `categories` includes. Returns None if
 * there is no such veteran.
 */
export const situation = (veteranId: VeteranId, categories: ReadonlyArray<string>) =>
  asActor.option(SituationRow, (sql) =>
    sql`select statement_timestamp() as moment, v.fhir_sync_manifest, coalesce((
          select jsonb_agg(jsonb_build_object('resourceType', t.resource_type, 'all', t.n, 'released', t.released))
          from (
            select resource_type, sum(items) as n,
              coalesce(sum(items) filter (
                where category_set & ~app.category_set(${categories}::text[]) = 0
              ), 0) as released
            from health_record_counts where veteran_id = v.id and items > 0 group by 1
          ) t
        ), '[]') as items
        from veterans v where v.id = ${veteranId}`)

const CopyRow = Schema.Struct({
  copy: Schema.Literals(["veteran", "recipient"]),
  status: ReleaseStatus,
  signedAt: Schema.Date,
  endsAt: Schema.Date
})

/** Returns the copy of a release that has this SHA-256, or None. It needs no actor: anybody may verify a copy. */
export const findCopy = (sql: SqlClient.SqlClient, id: DocumentId, sha256: Uint8Array) =>
  option(CopyRow, sql`select * from app.verify_release(${id}::uuid, ${sha256})`)
