import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits as limits } from "../../domain/DeviceSession.ts"
import { VeteranId } from "../../domain/Id.ts"
import { maxPasskeys } from "../../domain/Passkey.ts"
import { asActor, one, option } from "../Rows.ts"
import { AccessRow, type Once } from "./SignInRepository.ts"

const PasskeyRow = Schema.Struct({
  id: Schema.String,
  credentialId: Schema.Uint8Array,
  nameCiphertext: Schema.Uint8Array,
  createdAt: Schema.Date,
  lastUsedAt: Schema.NullOr(Schema.Date)
})

const KnownRow = Schema.Struct({
  veteranId: VeteranId,
  id: Schema.String,
  publicKey: Schema.Uint8Array,
  algorithm: Schema.Literals([-7, -257]),
  /** The last session of the device that asks, for which its name is sealed. */
  namedSession: Schema.NullOr(Schema.String),
  deviceName: Schema.NullOr(Schema.Uint8Array)
})

export type KnownPasskey = typeof KnownRow.Type

const BegunRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("begun"), ...AccessRow.fields }),
  Schema.Struct({ status: Schema.Literals(["proof", "challenge", "passkey"]) })
])

const ConfirmedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("confirmed"), confirmedUntil: Schema.Date }),
  Schema.Struct({ status: Schema.Literals(["proof", "token", "key", "ended", "passkey"]) })
])

const AddedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("added"), createdAt: Schema.Date }),
  Schema.Struct({ status: Schema.Literals(["unconfirmed", "challenge", "full", "taken"]) })
])

/** The veteran's passkeys, in a transaction of theirs. */
export const list = asActor.all(
  PasskeyRow,
  (sql) =>
    sql`select id, credential_id, name_ciphertext, created_at, last_used_at from veteran_passkeys
        order by created_at, id`
)

/** Removes a passkey, in a transaction of the veteran. Returns false if there is no such passkey. */
export const remove = (id: string) =>
  asActor.value(Schema.Boolean, (sql) => sql`select app.remove_passkey(${id}) as known`)

/** A passkey's answer whose signature was checked. */
interface Answered {
  readonly proof: Once
  readonly challenge: Once
  readonly thumbprint: Uint8Array
  readonly veteranId: VeteranId
  readonly passkeyId: string
}

interface Added {
  readonly challenge: Once
  readonly veteranId: VeteranId
  readonly sessionId: string
  readonly id: string
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly algorithm: number
  readonly name: Uint8Array
}

/** Steps that are functions of migrations/041: each decides by itself, and needs no actor. */
export const make = (sql: SqlClient.SqlClient) => ({
  named: (credentialId: Uint8Array, thumbprint: Uint8Array) =>
    option(KnownRow, sql`select * from app.passkey_of(${credentialId}, ${thumbprint})`),
  begin: (
    { challenge, deviceName, id, network, passkeyId, proof, thumbprint, veteranId }: Answered & {
      readonly id: string
      readonly deviceName: Uint8Array | null
      readonly network: string
    }
  ) =>
    one(
      BegunRow,
      sql`select * from app.begin_passkey_session(${proof.hash}, ${proof.endsAt}, ${challenge.hash}, ${challenge.endsAt},
            ${veteranId}, ${passkeyId}, ${thumbprint}, ${id}, ${deviceName}, ${network}, ${limits.sessions},
            ${limits.idleSeconds}, ${limits.sessionSeconds}, ${limits.confirmedSeconds})`
    ),
  confirm: (
    { challenge, passkeyId, proof, sessionId, thumbprint, veteranId }: Answered & { readonly sessionId: string }
  ) =>
    one(
      ConfirmedRow,
      sql`select * from app.confirm_by_passkey(${proof.hash}, ${proof.endsAt}, ${challenge.hash}, ${challenge.endsAt},
            ${veteranId}, ${sessionId}, ${thumbprint}, ${passkeyId}, ${limits.idleSeconds}, ${limits.confirmedSeconds})`
    ),
  add: ({ algorithm, challenge, credentialId, id, name, publicKey, sessionId, veteranId }: Added) =>
    one(
      AddedRow,
      sql`select * from app.add_passkey(${challenge.hash}, ${challenge.endsAt}, ${veteranId}, ${sessionId}, ${id},
            ${credentialId}, ${publicKey}, ${algorithm}, ${name}, ${maxPasskeys}, ${limits.idleSeconds},
            ${limits.confirmedSeconds})`
    )
})
