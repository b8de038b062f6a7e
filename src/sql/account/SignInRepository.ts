import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits as limits } from "../../domain/DeviceSession.ts"
import { VeteranId } from "../../domain/Id.ts"
import { one, option, value } from "../Rows.ts"

const access = {
  veteranId: VeteranId,
  callSign: Schema.String,
  sessionEndsAt: Schema.Date,
  secondsLeft: Schema.Int,
  previousSessionAt: Schema.NullOr(Schema.Date),
  confirmedUntil: Schema.NullOr(Schema.Date)
}

export const AccessRow = Schema.Struct(access)

/** What the app is told of a session that was begun or renewed. */
export type AccessRow = typeof AccessRow.Type

const BegunRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("begun"), ...access }),
  Schema.Struct({ status: Schema.Literals(["proof", "token", "changed", "pairing"]) })
])

const PairedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("begun"), ...access }),
  Schema.Struct({ status: Schema.Literals(["proof", "key", "wrong", "full"]), attemptsLeft: Schema.Int })
])

const RenewedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("renewed"), ...access }),
  Schema.Struct({ status: Schema.Literals(["proof", "key", "ended"]) })
])

const NamedRow = Schema.Struct({ id: VeteranId })

/** A token or a proof of a device's key that counts once. Its hash is kept until it would be refused as too old. */
export interface Once {
  readonly hash: Uint8Array
  readonly endsAt: Date
}

/** An account at the VA. The subject is a keyed hash. */
export interface Account {
  readonly issuer: string
  readonly subject: Uint8Array
}

interface Beginning extends Account {
  readonly proof: Once
  readonly token: Once
  readonly vaPatientId: string
  readonly patientHash: Uint8Array
  readonly thumbprint: Uint8Array
  /** The id of the session or of the pairing. */
  readonly id: string
  /** The veteran for whom the device's name was sealed. */
  readonly sealedFor: VeteranId
  readonly deviceName: Uint8Array | null
  readonly network: string
  /** Null if no codes are mailed. */
  readonly codeHash: Uint8Array | null
}

interface Pairing {
  readonly proof: Once
  readonly pairingId: string
  readonly thumbprint: Uint8Array
  readonly mailedCode: Uint8Array
  readonly operatorCode: Uint8Array
  readonly identityId: string
  readonly network: string
}

interface Renewal {
  readonly proof: Once
  readonly sessionId: string
  readonly thumbprint: Uint8Array
  readonly network: string
}

/** In the transaction that began the session: whether the device's key had none before. */
export const isOfNewDevice = (sql: SqlClient.SqlClient, veteranId: VeteranId, sessionId: string) =>
  value(Schema.Boolean, sql`select app.is_of_new_device(${veteranId}, ${sessionId}) as is_new`)

/**
 * The name under which acts of this session are counted, if a device or passkey began it that is known for a day. Null
 * for all others, which are counted by the veteran.
 */
export const knownWayIn = (
  sql: SqlClient.SqlClient,
  veteranId: VeteranId,
  sessionId: string,
  passkeyId: string | null = null
) =>
  value(
    Schema.NullOr(Schema.String),
    sql`select app.known_way_in(${veteranId}, ${sessionId}, ${passkeyId}, ${limits.knownDevices}) as known`
  )

/** The steps by which somebody signs in who has no token yet (migrations/032). */
export const make = (sql: SqlClient.SqlClient) => ({
  /** The database's time in seconds since the epoch. */
  now: value(Schema.Finite, sql`select extract(epoch from clock_timestamp())::float8 as seconds`),
  /** Finds the veteran for whom a device's name is to be sealed. */
  named: (vaPatientId: string) => option(NamedRow, sql`select id from veterans where va_patient_id = ${vaPatientId}`),
  begin: ({ proof, token, ...begun }: Beginning) =>
    one(
      BegunRow,
      sql`select * from app.begin_veteran_session(${proof.hash}, ${proof.endsAt}, ${token.hash}, ${token.endsAt},
            ${begun.issuer}, ${begun.subject}, ${begun.vaPatientId}, ${begun.patientHash}, ${begun.thumbprint}, ${begun.id},
            ${begun.sealedFor}, ${begun.deviceName}, ${begun.network}, ${begun.codeHash}, ${limits.codesPerHour},
            ${limits.wrongCodesPerDay}, ${limits.pairingSeconds}, ${limits.codeTries}, ${limits.sessions},
            ${limits.idleSeconds}, ${limits.sessionSeconds}, ${limits.confirmedSeconds})`
    ),
  /** The try is counted before the codes are compared. */
  pair: ({ proof, ...pairing }: Pairing) =>
    one(
      PairedRow,
      sql`select * from app.pair(${proof.hash}, ${proof.endsAt}, ${pairing.pairingId}, ${pairing.thumbprint},
            ${pairing.mailedCode}, ${pairing.operatorCode}, ${pairing.identityId}, ${pairing.network},
            ${limits.wrongCodesPerDay}, ${limits.identities}, ${limits.sessions}, ${limits.idleSeconds},
            ${limits.sessionSeconds}, ${limits.confirmedSeconds})`
    ),
  renew: ({ network, proof, sessionId, thumbprint }: Renewal) =>
    one(
      RenewedRow,
      sql`select * from app.renew_veteran_session(${proof.hash}, ${proof.endsAt}, ${sessionId}, ${thumbprint}, ${network},
            ${limits.idleSeconds}, ${limits.confirmedSeconds})`
    ),
  /** The operator knows whose account it is. Nothing changes if the account is paired already. */
  pairByHand: (veteranId: VeteranId, identityId: string, { issuer, subject }: Account) =>
    one(
      Schema.Struct({ status: Schema.Literals(["paired", "known", "taken"]) }),
      sql`select app.pair_by_hand(${veteranId}, ${identityId}, ${issuer}, ${subject}) as status`
    )
})
