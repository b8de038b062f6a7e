import { Context, Effect, Layer, Option } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { isSubset, parseScope } from "../../domain/SmartScope.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as AppGrantRepository from "../../sql/fhir/AppGrantRepository.ts"
import { AccessTokens } from "../account/AccessTokens.ts"

/** Recognises apps by their access tokens. The token is signed; the grant that it names decides, and is read each time. */
export class AppSessions extends Context.Service<AppSessions, {
  /** None: no token of an app, or one whose grant or client has ended or does not agree with it. */
  readonly authenticate: (token: string) => Effect.Effect<Option.Option<AppSession>>
  /** Whether the token is one of an app, which is good at the FHIR base alone. */
  readonly isOfApp: (token: string) => Effect.Effect<boolean>
}>()("vrss/AppSessions") {
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
