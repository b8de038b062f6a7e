import { Context, Effect, Layer, Option } from "effect"
import type { ClientId } from "../../domain/Id.ts"
import type { Introspection } from "../../domain/OAuthToken.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as TokenRepository from "../../sql/oauth/TokenRepository.ts"
import { AccessTokens } from "../account/session/AccessTokens.ts"
import { AppSessions } from "../fhir/AppSessions.ts"
import { TokenPatient } from "../fhir/TokenPatient.ts"
import { Settings } from "../platform/Settings.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"
import { readRefreshToken } from "./RefreshToken.ts"

/** Revokes and introspects tokens for their client. Another client's token is treated like an unknown one. */
export class NamedTokens extends Context.Service<NamedTokens, {
  /** Ends the whole grant of the client's access or refresh token (RFC 7009). */
  readonly revoke: (clientId: ClientId, token: string) => Effect.Effect<void>
  /** Introspects access tokens only (RFC 7662); a refresh token is treated like an unknown one. */
  readonly introspect: (clientId: ClientId, token: string) => Effect.Effect<Introspection>
}>()("vrss/services/oauth/NamedTokens") {
  static readonly layer = Layer.effect(
    NamedTokens,
    Effect.gen(function*() {
      const { fhirBase, oauthIssuer } = yield* Settings
      const accessTokens = yield* AccessTokens
      const sessions = yield* AppSessions
      const { patientOf } = yield* TokenPatient
      const tokens = TokenRepository.make(yield* OwnConnections)
      const { refreshFamilyHash } = yield* oauthSecrets

      const revoke = Effect.fn("NamedTokens.revoke")(function*(clientId: ClientId, token: string) {
        const refreshToken = readRefreshToken(token)
        if (refreshToken !== undefined) {
          return yield* tokens.endGrant({ clientId, grantId: null, family: refreshFamilyHash(refreshToken.family) })
        }
        const claims = yield* accessTokens.verifyApp(token)
        if (Option.isNone(claims) || claims.value.clientId !== clientId) return
        yield* tokens.endGrant({ clientId, grantId: claims.value.grantId, family: null })
      })

      const introspect = Effect.fn("NamedTokens.introspect")(function*(clientId: ClientId, token: string) {
        const claims = yield* accessTokens.verifyApp(token)
        if (Option.isNone(claims) || claims.value.clientId !== clientId) return inactive
        const session = yield* sessions.authenticate(token)
        if (Option.isNone(session)) return inactive
        const { expiresAt, issuedAt, scope, veteranId } = claims.value
        return {
          active: true,
          scope,
          client_id: clientId,
          exp: expiresAt,
          iat: issuedAt,
          iss: oauthIssuer,
          sub: veteranId,
          aud: fhirBase,
          token_type: "Bearer",
          patient: yield* patientOf(session.value)
        } as const
      })

      return NamedTokens.of({ revoke, introspect })
    })
  )
}

const inactive = { active: false } as const
