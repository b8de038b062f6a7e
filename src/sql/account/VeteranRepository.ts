import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits } from "../../domain/DeviceSession.ts"
import { VeteranId } from "../../domain/Id.ts"
import type { VeteranFilter } from "../../domain/Veteran.ts"
import { ActingSession, ActorTransaction, type TokenSession } from "../Actor.ts"
import type { PageQuery } from "../Page.ts"
import { all, one, option, optionTogether } from "../Rows.ts"

const VeteranRow = Schema.Struct({
  id: VeteranId,
  vaPatientId: Schema.String,
  callSign: Schema.String,
  email: Schema.String,
  createdAt: Schema.Date,
  fhirSyncManifest: Schema.Unknown
})

const PlacedRow = Schema.Struct({ ...VeteranRow.fields, place: Schema.Int })

const CountedRow = Schema.Struct({ place: Schema.Int })

const ExchangedRow = Schema.Struct({
  id: VeteranId,
  callSign: Schema.String,
  /** When all of the veteran's tokens were ended last. */
  tokensEndedAt: Schema.NullOr(Schema.Date)
})

const EmailChangedRow = Schema.Struct({ status: Schema.Literals(["unknown", "same", "respelled", "changed"]) })

interface NewVeteran {
  readonly id: VeteranId
  readonly vaPatientId: string
  readonly callSign: string
  readonly email: string
}

/** A veteran, and the session of the token by which they act. With undefined no token is used. */
interface Asked {
  readonly id: VeteranId
  readonly session: TokenSession | undefined
}

export const make = (sql: SqlClient.SqlClient) => {
  // Does not select `fhir_list_hashes`, which no caller of these functions needs.
  const columns = sql.literal("v.id, v.va_patient_id, v.call_sign, v.email, v.created_at, v.fhir_sync_manifest")
  const veterans = sql`select ${columns} from veterans v`
  /** The veterans of a turn whose tokens count. */
  const asked = (all: ReadonlyArray<Asked>) => {
    const column = <A>(oid: number, value: (one: Asked) => A) => Result.getOrThrow(PgTypes.array(all.map(value), oid))
    const { bool, timestamptz, uuid } = PgTypes.OID
    return sql`unnest(${column(uuid, ({ id }) => id)}::uuid[], ${
      column(bool, ({ session }) => session !== undefined)
    }::bool[],
        ${column(uuid, ({ session }) => session?.id ?? null)}::uuid[],
        ${column(timestamptz, ({ session }) => session?.notBefore ?? null)}::timestamptz[])
        with ordinality as asked (id, by_token, session, not_before, place)
      where not asked.by_token
        or app.token_counts(asked.id, asked.session, asked.not_before, ${deviceSessionLimits.idleSeconds})`
  }
  const findAsked = optionTogether(
    PlacedRow,
    (all: ReadonlyArray<Asked>) =>
      sql`select ${columns}, counted.place::int from (select asked.id, asked.place from ${asked(all)}) counted
          join veterans v on v.id = counted.id and v.deleted_at is null`
  )
  const findCounted = optionTogether(
    CountedRow,
    (all: ReadonlyArray<Asked>) => sql`select asked.place::int from ${asked(all)}`
  )
  return {
    /**
     * Concurrent calls share one query, because most requests of a veteran's app read this row. If the session of the
     * acting veteran's token has ended, returns None.
     */
    findById: (id: VeteranId) => Effect.withFiber((fiber) => findAsked({ id, session: fiber.getRef(ActingSession) })),
    /** Whether a token's session is live, or none of its kind was ended since. */
    tokenCounts: (id: VeteranId, session: TokenSession) => Effect.map(findCounted({ id, session }), Option.isSome),
    findByVaPatientId: (vaPatientId: string) =>
      option(VeteranRow, sql`${veterans} where va_patient_id = ${vaPatientId} and deleted_at is null`),
    /** Finds the veteran of a session exchange. */
    findExchanged: (vaPatientId: string) =>
      option(
        ExchangedRow,
        sql`select id, call_sign, app.tokens_ended_at(id) as tokens_ended_at from veterans
            where va_patient_id = ${vaPatientId} and deleted_at is null`
      ),
    /** Returns None if the `vaPatientId` is taken. */
    insert: ({ callSign, email, id, vaPatientId }: NewVeteran) =>
      option(
        VeteranRow,
        sql`insert into veterans ${sql.insert({ id, vaPatientId, callSign, email })}
            on conflict (va_patient_id) do nothing returning *`
      ),
    /** Replaces the operator's code. Returns None if there is no such veteran. */
    setPairingCode: (veteranId: VeteranId, codeHash: Uint8Array, days: number) =>
      option(
        Schema.Struct({ endsAt: Schema.Date }),
        sql`update veterans
            set pairing_code_hash = ${codeHash}, pairing_code_ends_at = now() + make_interval(days => ${days})
            where id = ${veteranId} and deleted_at is null returning pairing_code_ends_at as ends_at`
      ),
    /** Reads the row within the caller's transaction, unlike `findById`. */
    findHere: (veteranId: VeteranId) =>
      option(VeteranRow, sql`${veterans} where id = ${veteranId} and deleted_at is null`),
    list: ({ after, filter: { email, vaPatientId }, limit }: PageQuery & { readonly filter: VeteranFilter }) =>
      all(
        VeteranRow,
        sql`${veterans} where ${
          sql.and([
            sql`deleted_at is null`,
            ...(after === undefined ? [] : [sql`id > ${after}`]),
            ...(email === undefined ? [] : [sql`lower(email) = lower(${email})`]),
            ...(vaPatientId === undefined ? [] : [sql`va_patient_id = ${vaPatientId}`])
          ])
        } order by id limit ${limit}`
      ),
    /**
     * Codes that were mailed to the old address stop working. The same statement writes the proof, and mails to both
     * addresses. `respelled`: the addresses differ in upper and lower case alone.
     */
    changeEmail: (veteranId: VeteranId, email: string, byVeteran: boolean) =>
      one(EmailChangedRow, sql`select app.change_veteran_email(${veteranId}, ${email}, ${byVeteran}) as status`),
    /** Returns None if nothing changes. */
    changeCallSign: (veteranId: VeteranId, callSign: string) =>
      option(
        Schema.Struct({ id: VeteranId }),
        sql`update veterans set call_sign = ${callSign}
            where id = ${veteranId} and call_sign <> ${callSign} returning id`
      )
  }
}

/**
 * Takes the veteran's lock until the transaction ends: a veteran's syncs, signatures and document deletions run one
 * after another. The lock does not block inserts of rows whose foreign key names the veteran.
 */
export const lock = (veteranId: VeteranId) =>
  ActorTransaction.use((sql) => sql`select from veterans where id = ${veteranId} for no key update`)
