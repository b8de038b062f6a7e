import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { LinkId, VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { atEdge } from "../Connections.ts"
import { asActor, option } from "../Rows.ts"
import { LinkStatus, type NewChallenge } from "./SecureLinkRepository.ts"

const BundleRow = Schema.Struct({
  storageKey: Schema.String,
  fileKey: Schema.Uint8Array,
  byteSize: Schema.Int,
  sha256: Schema.Uint8Array
})

const PasscodeRow = Schema.Struct({
  status: LinkStatus,
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

/** How many files of the veteran's SMART Health Links are kept. */
export const countBundles = (veteranId: VeteranId) =>
  asActor.value(
    Schema.Int,
    (sql) =>
      sql`select count(*)::int4 as count from secure_links where veteran_id = ${veteranId} and shl_storage_key is not null`
  )

/** The file of a SMART Health Link, until the link ends. */
export const findBundle = (veteranId: VeteranId, id: LinkId) =>
  asActor.option(
    BundleRow,
    (sql) =>
      sql`select shl_storage_key as storage_key, shl_file_key as file_key, shl_byte_size::int4 as byte_size,
          shl_sha256 as sha256
        from secure_links where veteran_id = ${veteranId} and id = ${id} and shl_storage_key is not null`
  )

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
    ),
  tokenHashOf: (veteranId: VeteranId, id: LinkId) =>
    option(
      Schema.Struct({ tokenHash: Schema.Uint8Array, smartHealthLink: Schema.Boolean }),
      sql`select token_hash, shl_hash is not null as smart_health_link from secure_links
          where veteran_id = ${veteranId} and id = ${id}`
    ),
  endExpiredBundles: Effect.asVoid(atEdge(sql`select app.end_expired_bundles(500)`))
})
