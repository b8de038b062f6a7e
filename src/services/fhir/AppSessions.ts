import { Context, Effect, Layer, Option } from "effect"
import type { ClientId, GrantId, VeteranId } from "../../domain/Id.ts"
import { isSubset, parseScope, type SmartScope } from "../../domain/SmartScope.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as AppGrantRepository from "../../sql/fhir/AppGrantRepository.ts"
import { AccessTokens } from "../account/AccessTokens.ts"

/** An app that reads a veteran's record now. */
export interface AppSession {
  readonly grantId: GrantId
  readonly veteranId: VeteranId
  readonly clientId: ClientId
  /** Those of the token, which are no more than the grant's. */
  readonly scopes: ReadonlyArray<SmartScope>
  readonly sensitiveCategories: ReadonlyArray<string>
}

/** Recognises apps by their access tokens. The token is signed; the grant that it names decides, and is read each time. */
export class AppSessions extends Context.Service<AppSessions, {
  /** None: no token of an app, or one whose grant or client has ended or does not agree with it. */
  readonly authenticate: (token: string) => Effect.Effect<Option.Option<AppSession>>
}>()("vrss/AppSessions") {
  static readonly layer = Layer.effect(
    AppSessions,
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const grants = AppGrantRepository.make(yield* SharedConnections)
      return AppSessions.of({
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
