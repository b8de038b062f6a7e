import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { LinkId, VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { option } from "../Rows.ts"
import { type NewChallenge, Status } from "./SecureLinkRepository.ts"

/** The code that is out for a SMART Health Link, which an app sends as passcode. */
const PasscodeRow = Schema.Struct({
  status: Status,
  veteranId: VeteranId,
  linkId: LinkId,
  tokenHash: Schema.Uint8Array,
  /** The code that is out. */
  challenge: Schema.NullOr(Schema.String),
  wrongCodes: Schema.Int,
  createdAt: Schema.Date,
  /** In bytes; null once the link has ended. */
  byteSize: Schema.NullOr(Schema.Int)
})

export type PasscodeRow = typeof PasscodeRow.Type

const TriedPasscodeRow = Schema.Struct({
  status: Schema.Literals(["disabled", "expired", "right", "wrong", "none"]),
  wrongCodes: Schema.Int
})

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns the code that is out for a SMART Health Link. Returns None if no such link has this token. */
  codeOut: (tokenHash: Uint8Array) =>
    option(
      Schema.Struct({ challenge: PasscodeRow.fields.challenge }),
      sql`select state.challenge from secure_links l, app.passcode_state(l.shl_hash, ${linkLimits.codeSeconds}::int,
            ${linkLimits.triesPerCode}::int) state
          where l.token_hash = ${tokenHash}`
    ),
  /** Returns None if no link has this manifest. */
  passcodeState: (shlHash: Uint8Array) =>
    option(
      PasscodeRow,
      sql`select * from app.passcode_state(${shlHash}, ${linkLimits.codeSeconds}::int, ${linkLimits.triesPerCode}::int)`
    ),
  /** `claimed` is who uses the app, sealed. */
  tryPasscode: (
    { challengeId, claimed, codeHash, sessionHash, token }: NewChallenge & {
      readonly sessionHash: Uint8Array
      readonly claimed: Uint8Array
    }
  ) =>
    option(
      TriedPasscodeRow,
      sql`select * from app.try_passcode(${token}, ${challengeId}::uuid, ${codeHash}, ${sessionHash}, ${claimed},
            ${linkLimits.codeSeconds}::int, ${linkLimits.triesPerCode}::int, ${linkLimits.wrongCodesPerLink}::int)`
    )
})
