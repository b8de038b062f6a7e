import { Data, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ClientId, GrantId, VeteranId } from "../../domain/Id.ts"
import { atEdge } from "../Connections.ts"
import { one } from "../Rows.ts"

const Granted = { grantId: GrantId, veteranId: VeteranId, scope: Schema.String }

const RedeemedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("redeemed"), ...Granted, offline: Schema.Boolean }),
  Schema.Struct({ status: Schema.Literals(["invalid", "replayed"]) })
])

const RotatedRow = Schema.Union([
  Schema.Struct({ status: Schema.Literal("rotated"), ...Granted, clientId: ClientId }),
  Schema.Struct({ status: Schema.Literals(["invalid", "replayed"]) })
])

const decodeRotated = Schema.decodeUnknownEffect(RotatedRow)

/** The app requested more scopes than were granted; nothing was written. */
export class ScopeTooWide extends Data.TaggedError("ScopeTooWide") {}

interface Redemption {
  readonly code: Uint8Array
  /** If `clientId`, `redirectUri` or `codeChallenge` is null, the redemption fails and the code is spent. */
  readonly clientId: ClientId | null
  readonly redirectUri: string | null
  readonly codeChallenge: string | null
  readonly codeSeconds: number
  /** Hashes of the refresh tokens' family and of its first token, stored only if the app has offline access. */
  readonly family: Uint8Array
  readonly refreshToken: Uint8Array
}

interface Rotation {
  readonly family: Uint8Array
  readonly oldToken: Uint8Array
  readonly newToken: Uint8Array
  /** Null for a public client, which is identified by its token. */
  readonly clientId: ClientId | null
  /** Whether the granted scope covers the requested one. */
  readonly isEnough: (scope: string) => boolean
}

interface Ending {
  readonly clientId: ClientId
  /** The grant is identified by its id or by the family of its refresh tokens. */
  readonly grantId: GrantId | null
  readonly family: Uint8Array | null
}

export const make = (sql: SqlClient.SqlClient) => ({
  redeem: ({ clientId, code, codeChallenge, codeSeconds, family, redirectUri, refreshToken }: Redemption) =>
    one(
      RedeemedRow,
      sql`select * from app.redeem_code(${code}, ${clientId}::uuid, ${redirectUri}::text, ${codeChallenge}::text,
            ${codeSeconds}::int, ${family}, ${refreshToken})`
    ),
  rotate: ({ clientId, family, isEnough, newToken, oldToken }: Rotation) =>
    atEdge(sql.withTransaction(Effect.gen(function*() {
      const [row] =
        yield* sql`select * from app.rotate_refresh_token(${family}, ${oldToken}, ${newToken}, ${clientId}::uuid)`
      const rotated = yield* decodeRotated(row)
      return rotated.status === "rotated" && !isEnough(rotated.scope) ? yield* new ScopeTooWide() : rotated
    }))),
  endGrant: ({ clientId, family, grantId }: Ending) =>
    Effect.asVoid(atEdge(sql`select app.revoke_app_grant(${grantId}::uuid, ${family}::bytea, ${clientId}::uuid)`))
})
