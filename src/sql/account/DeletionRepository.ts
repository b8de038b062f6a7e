import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits as limits } from "../../domain/DeviceSession.ts"
import { VeteranId } from "../../domain/Id.ts"
import { all, asActor, one, option } from "../Rows.ts"

const EndsRow = Schema.Struct({ endsAt: Schema.Date })

const AskedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("asked"), endsAt: Schema.Date, isNew: Schema.Boolean }),
  Schema.Struct({ status: Schema.Literals(["unconfirmed", "wrong"]) })
])

const AskedByOperatorRow = Schema.Struct({ isNew: Schema.Boolean, endsAt: Schema.Date })

const CancelledRow = Schema.Struct({ status: Schema.Literals(["cancelled", "none", "begun", "unknown"]) })

const EndedRow = Schema.Struct({
  sessions: Schema.Int,
  grants: Schema.Int,
  apps: Schema.Int,
  links: Schema.Int,
  releases: Schema.Int
})

const StepRow = Schema.Struct({
  /** `begin`, what was removed, or `end`. */
  step: Schema.String,
  removed: Schema.Int,
  storageKeys: Schema.Array(Schema.String)
})

/** These run in a veteran's transaction. */

/** Ends everything that is shared. `callSign` is what the veteran typed. */
export const ask = (callSign: string) =>
  asActor.one(
    AskedRow,
    (sql) => sql`select * from app.ask_own_deletion(${callSign}, ${limits.idleSeconds}, ${limits.confirmedSeconds})`
  )

export const cancel = asActor.one(CancelledRow, (sql) => sql`select app.cancel_own_deletion() as status`)

/** Returns None if nobody asked. */
export const find = asActor.option(
  EndsRow,
  (sql) => sql`select ends_at from app.deletion_of(app.actor_veteran()) where ends_at is not null`
)

/** These need no actor: the operator's acts, and the steps of a deletion that is due. */
export const make = (sql: SqlClient.SqlClient) => ({
  /** Ends what is shared, all sessions and all tokens. Returns None if there is no such veteran. */
  endAccess: (veteranId: VeteranId) =>
    option(EndedRow, sql`select * from app.end_access(${veteranId}, ${limits.idleSeconds})`),
  /** Returns None if there is no such veteran. */
  ask: (veteranId: VeteranId) => option(AskedByOperatorRow, sql`select * from app.ask_deletion(${veteranId})`),
  cancel: (veteranId: VeteranId) => one(CancelledRow, sql`select app.cancel_deletion(${veteranId}) as status`),
  /** Returns None if there is no such veteran or nobody asked. */
  find: (veteranId: VeteranId) =>
    option(EndsRow, sql`select ends_at from app.deletion_of(${veteranId}) where ends_at is not null`),
  due: (limit: number) => all(Schema.Struct({ veteranId: VeteranId }), sql`select * from app.deletions_due(${limit})`),
  /** Takes the next step, which is one transaction. Returns None if none is due. */
  forget: (veteranId: VeteranId, limit: number) =>
    option(StepRow, sql`select * from app.forget_veteran(${veteranId}, ${limits.idleSeconds}, ${limit})`)
})
