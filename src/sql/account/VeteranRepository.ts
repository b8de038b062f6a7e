import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { VeteranId } from "../../domain/Id.ts"
import { ActorTransaction } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"
import { all, option, optionById } from "../Rows.ts"

const VeteranRow = Schema.Struct({
  id: VeteranId,
  vaPatientId: Schema.String,
  callSign: Schema.String,
  email: Schema.String,
  createdAt: Schema.Date,
  fhirSyncManifest: Schema.Unknown
})

interface NewVeteran {
  readonly id: VeteranId
  readonly vaPatientId: string
  readonly callSign: string
  readonly email: string
}

export const make = (sql: SqlClient.SqlClient) => {
  // Does not select `fhir_list_hashes`, which no caller of these functions needs.
  const veterans = sql`select id, va_patient_id, call_sign, email, created_at, fhir_sync_manifest from veterans`
  return {
    /** Concurrent calls share one query, because most requests of a veteran's app read this row. */
    findById: optionById(VeteranRow, (ids) => sql`${veterans} where id = any (${ids}::uuid[])`),
    findByVaPatientId: (vaPatientId: string) =>
      option(VeteranRow, sql`${veterans} where va_patient_id = ${vaPatientId}`),
    /** Returns None if the `vaPatientId` is taken. */
    insert: ({ callSign, email, id, vaPatientId }: NewVeteran) =>
      option(
        VeteranRow,
        sql`insert into veterans ${sql.insert({ id, vaPatientId, callSign, email })}
            on conflict (va_patient_id) do nothing returning *`
      ),
    list: ({ after, limit }: PageQuery) =>
      all(
        VeteranRow,
        sql`${veterans}
            where ${after ?? null}::uuid is null or id > ${after ?? null} order by id limit ${limit}`
      )
  }
}

/**
 * Takes the veteran's lock until the transaction ends: a veteran's syncs, signatures and document deletions run one
 * after another. The lock does not block inserts of rows whose foreign key names the veteran.
 */
export const lock = (veteranId: VeteranId) =>
  ActorTransaction.use((sql) => sql`select from veterans where id = ${veteranId} for no key update`)
