import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { VeteranId } from "../../domain/Id.ts"
import { asActor } from "../Rows.ts"

const OwnerRow = Schema.Struct({
  id: VeteranId,
  callSign: Schema.String,
  fhirSyncManifest: Schema.Unknown,
  moment: Schema.Date
})

/** Whose data is exported, and the moment as of which the transaction reads. */
export const owner = (veteranId: VeteranId) =>
  Effect.map(
    asActor.option(OwnerRow, (sql) =>
      sql`select id, call_sign, fhir_sync_manifest, now() as moment from veterans where id = ${veteranId} and deleted_at is null`),
    Option.getOrUndefined
  )

/** Writes the proof of an export and puts out its mail, in the transaction that is open on `sql`. */
export const note = (sql: SqlClient.SqlClient, veteranId: VeteranId, byVeteran: boolean) =>
  Effect.asVoid(sql`select app.note_export(${veteranId}, ${byVeteran})`)
