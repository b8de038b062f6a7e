import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits as limits } from "../../domain/DeviceSession.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor, one } from "../Rows.ts"
import type { Account, Once } from "./SignInRepository.ts"

const SessionRow = Schema.Struct({
  id: Schema.String,
  deviceNameCiphertext: Schema.NullOr(Schema.Uint8Array),
  how: Schema.Literals(["va", "passkey"]),
  createdAt: Schema.Date,
  renewedAt: Schema.Date,
  expiresAt: Schema.Date,
  network: Schema.String
})

export type SessionRow = typeof SessionRow.Type

const IdentityRow = Schema.Struct({
  id: Schema.String,
  issuer: Schema.String,
  pairedAt: Schema.Date,
  how: Schema.Literals(["mail", "operator", "session"])
})

const ConfirmationRow = Schema.Struct({ how: SessionRow.fields.how, confirmedAt: Schema.Date })

const ConfirmedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("confirmed"), confirmedUntil: Schema.Date }),
  Schema.Struct({ status: Schema.Literals(["proof", "token", "key", "ended", "other"]) })
])

const AddedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("paired"), pairedAt: Schema.Date }),
  Schema.Struct({
    status: Schema.Literals(["unconfirmed", "proof", "token", "key", "ended", "other", "full", "taken"])
  })
])

const RemovedRow = Schema.Struct({ status: Schema.Literals(["unconfirmed", "unknown", "last", "removed"]) })

const ChangedRow = Schema.Struct({ status: Schema.Literals(["unknown", "same", "taken", "changed"]) })

/** These run in a veteran's transaction. */

/** The veteran's live sessions, the newest first. */
export const list = asActor.all(
  SessionRow,
  (sql) =>
    sql`select id, device_name_ciphertext, how, created_at, renewed_at, expires_at, network from veteran_sessions
        where ended_at is null and expires_at > clock_timestamp()
          and renewed_at > clock_timestamp() - make_interval(secs => ${limits.idleSeconds})
        order by created_at desc`
)

export const identities = asActor.all(
  IdentityRow,
  (sql) => sql`select id, issuer, paired_at, how from veteran_identities order by paired_at, id`
)

/** Returns false if the veteran has no such session. Ending it again changes nothing. */
export const end = (sessionId: string) =>
  asActor.value(
    Schema.Boolean,
    (sql) => sql`select app.end_veteran_session(${sessionId}, ${limits.idleSeconds}) as known`
  )

/** How and when a session was confirmed. Returns None if it was confirmed too long ago. */
export const confirmation = (sessionId: string) =>
  asActor.option(
    ConfirmationRow,
    (sql) =>
      sql`select coalesce(confirmed_how, how) as how, confirmed_at from veteran_sessions
          where id = ${sessionId} and confirmed_at > clock_timestamp() - make_interval(secs => ${limits.confirmedSeconds})`
  )

/** Ends all sessions, and all tokens that have none. */
export const endAll = asActor.all(
  Schema.Struct({}),
  (sql) => sql`select app.end_all_veteran_sessions(${limits.idleSeconds})`
)

/** An id_token of the VA within a session, with a proof of the device's key. */
interface Presented extends Account {
  readonly proof: Once
  readonly token: Once
  readonly veteranId: VeteranId
  readonly sessionId: string
  readonly thumbprint: Uint8Array
  readonly vaPatientId: string | null
}

/** Steps that are functions of migrations/033: each decides by itself, and needs no actor. */
export const make = (sql: SqlClient.SqlClient) => ({
  confirm: ({ issuer, proof, sessionId, subject, thumbprint, token, vaPatientId, veteranId }: Presented) =>
    one(
      ConfirmedRow,
      sql`select * from app.confirm_veteran_session(${proof.hash}, ${proof.endsAt}, ${token.hash}, ${token.endsAt},
            ${veteranId}, ${sessionId}, ${thumbprint}, ${issuer}, ${subject}, ${vaPatientId}, ${limits.idleSeconds},
            ${limits.confirmedSeconds})`
    ),
  addIdentity: (
    { id, issuer, proof, sessionId, subject, thumbprint, token, vaPatientId, veteranId }: Presented & {
      readonly id: string
    }
  ) =>
    one(
      AddedRow,
      sql`select * from app.add_identity(${proof.hash}, ${proof.endsAt}, ${token.hash}, ${token.endsAt}, ${veteranId},
            ${sessionId}, ${thumbprint}, ${id}, ${issuer}, ${subject}, ${vaPatientId}, ${limits.identities},
            ${limits.idleSeconds}, ${limits.confirmedSeconds})`
    ),
  /** Ends all sessions. `sessionId` is null if the operator removes it. */
  removeIdentity: (veteranId: VeteranId, sessionId: string | null, identityId: string) =>
    one(
      RemovedRow,
      sql`select app.remove_identity(${veteranId}, ${sessionId}, ${identityId}, ${limits.idleSeconds},
            ${limits.confirmedSeconds}) as status`
    ),
  /** Ends all sessions, unless the number is the same. */
  changePatient: (veteranId: VeteranId, vaPatientId: string) =>
    one(ChangedRow, sql`select app.change_patient(${veteranId}, ${vaPatientId}, ${limits.idleSeconds}) as status`)
})
