import { Context, Effect, Layer, Option } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { isSubset, parseScope } from "../../domain/SmartScope.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as AppGrantRepository from "../../sql/fhir/AppGrantRepository.ts"
import { AccessTokens } from "../account/session/AccessTokens.ts"

/** Recognises apps by their access tokens. The token's signature is not enough: its grant is read for each request. */
export class AppSessions extends Context.Service<AppSessions, {
  /** Returns None unless the token is an app's, its grant is active and covers its scope, and its client is enabled. */
  readonly authenticate: (token: string) => Effect.Effect<Option.Option<AppSession>>
  /** Whether the token is an app's. Such a token is valid only at the FHIR base. */
  readonly isOfApp: (token: string) => Effect.Effect<boolean>
}>()("vrss/services/fhir/AppSessions") {
  static readonly layer = Layer.effect(
    AppSessions,
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const grants = AppGrantRepository.make(yield* SharedConnections)
      return AppSessions.of({
        isOfApp: (token) => Effect.map(tokens.verifyApp(token), Option.isSome),
        authenticate: Effect.fn("AppSessions.authenticate")(function*(token) {
          const claims = yield* tokens.verifyApp(token)
          if (Option.isNone(claims)) return Option.none()
          const { clientId, grantId, scope, veteranId } = claims.value
          const grant = yield* grants.active(grantId, veteranId, clientId)
          if (Option.isNone(grant)) return Option.none()
          const { scope: granted, sensitiveCategories } = grant.value
          return Option.all([parseScope(scope), parseScope(granted)]).pipe(
            Option.filter(([scopes, all]) => isSubset(scopes, all)),
            Option.map(([scopes]) => ({ grantId, veteranId, clientId, scopes, sensitiveCategories }))
          )
        })
      })
    })
  )
}
