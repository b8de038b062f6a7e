import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { ActorTransaction } from "../Actor.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"

const VeteranRow = Schema.Struct({
  id: Schema.String,
  vaPatientId: Schema.String,
  callSign: Schema.String,
  email: Schema.String,
  createdAt: Schema.Date,
  fhirSyncManifest: Schema.Unknown
})

export const make = (sql: SqlClient.SqlClient) => {
  const findById = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: VeteranRow,
    execute: (id) => sql`select * from veterans where id = ${id}`
  })
  const findByVaPatientId = SqlSchema.findOneOption({
    Request: Schema.String,
    Result: VeteranRow,
    execute: (vaPatientId) => sql`select * from veterans where va_patient_id = ${vaPatientId}`
  })
  const insert = SqlSchema.findOneOption({
    Request: Schema.Struct({
      id: Schema.String,
      vaPatientId: Schema.String,
      callSign: Schema.String,
      email: Schema.String
    }),
    Result: VeteranRow,
    execute: (row) => sql`insert into veterans ${sql.insert(row)} on conflict (va_patient_id) do nothing returning *`
  })
  const list = SqlSchema.findAll({
    Request: Schema.Any,
    Result: VeteranRow,
    execute: ({ after, limit }: PageQuery) =>
      sql`select * from veterans where ${after ?? null}::uuid is null or id > ${
        after ?? null
      } order by id limit ${limit}`
  })
  return {
    findById: (id: string) => atEdge(findById(id)),
    findByVaPatientId: (vaPatientId: string) => atEdge(findByVaPatientId(vaPatientId)),
    /** None: the `vaPatientId` is taken. */
    insert: (row: Parameters<typeof insert>[0]) => atEdge(insert(row)),
    list: (page: PageQuery) => atEdge(list(page))
  }
}

/**
 * Takes the veteran's lock until the transaction ends: syncs, signing and deleting documents of one veteran run one
 * after the other. It leaves the row open to the foreign keys of what else is stored for this veteran meanwhile.
 */
export const lock = Effect.fnUntraced(function*(veteranId: string) {
  const sql = yield* ActorTransaction
  yield* sql`select from veterans where id = ${veteranId} for no key update`
})
