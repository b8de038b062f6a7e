import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { deviceSessionLimits } from "../../domain/DeviceSession.ts"
import { emailChangeLimits as limits } from "../../domain/EmailChange.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { asActor, one } from "../Rows.ts"

const AskedRow = Schema.Struct({
  status: Schema.Literals(["asked", "unconfirmed", "same", "limited"]),
  wait: Schema.Finite
})

const TriedRow = Schema.Struct({ status: Schema.Literals(["right", "wrong"]), attemptsLeft: Schema.Int })

interface Asked {
  readonly veteranId: VeteranId
  readonly sessionId: string
  readonly challengeId: string
  readonly email: string
  readonly codeHash: Uint8Array
  /** The keys under which the changes of a veteran and the codes to an address are counted. */
  readonly veteranKey: Uint8Array
  readonly addressKey: Uint8Array
}

export const make = (sql: SqlClient.SqlClient) => ({
  /** Decides by itself and needs no actor. The code is mailed by the outbox. */
  ask: ({ addressKey, challengeId, codeHash, email, sessionId, veteranId, veteranKey }: Asked) =>
    one(
      AskedRow,
      sql`select * from app.ask_email_change(${veteranId}, ${sessionId}, ${challengeId}, ${email}, ${codeHash},
            ${veteranKey}, ${limits.changesPerDay}, ${addressKey}, ${linkLimits.codesPerAddress},
            ${deviceSessionLimits.idleSeconds}, ${deviceSessionLimits.confirmedSeconds})`
    )
})

/** Tries a code of the transaction's veteran. The right one changes the address. */
export const tryCode = (challengeId: string, codeHash: Uint8Array) =>
  asActor.one(
    TriedRow,
    (sql) =>
      sql`select * from app.try_email_code(${challengeId}, ${codeHash}, ${limits.codeSeconds}, ${limits.triesPerCode})`
  )
