import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { InvalidClient, invalidRequest } from "../../domain/OAuthError.ts"
import type { NamedToken } from "../../domain/OAuthToken.ts"
import { ClientAuthentication, isEmpty } from "../../services/oauth/ClientAuthentication.ts"
import { NamedTokens } from "../../services/oauth/NamedTokens.ts"
import { TokenEndpoint } from "../../services/oauth/TokenEndpoint.ts"
import { RateLimits } from "../../services/platform/RateLimits.ts"
import { group, whole } from "../wire/Group.ts"
import { clientCredentials } from "./ClientCredentials.ts"

/** The limit of each client, across all addresses of its servers. */
const introspections = { permits: 600, seconds: 60, leased: true }

/** Every answer already has `cache-control: no-store`, but caches of HTTP/1.0 know only `pragma` (RFC 6749, 5.1). */
const withoutCache = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "pragma", "no-cache"))
)

interface NamedTokenRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly payload: NamedToken
}

export const OAuthTokenHandlers = group("oauthTokens", function*(handlers) {
  const { authenticate } = yield* ClientAuthentication
  const limits = yield* RateLimits
  const namedTokens = yield* NamedTokens
  const { exchange } = yield* TokenEndpoint

  const clientOf = ({ payload, request }: NamedTokenRequest) =>
    Effect.flatMap(clientCredentials(request, payload), authenticate)

  const tokenOf = ({ payload: { token } }: NamedTokenRequest) =>
    token === undefined ? Effect.fail(invalidRequest("'token' is missing.")) : Effect.succeed(token)

  return handlers.handleAll({
    // An exchange that uses up a code or token is finished, even if the client hangs up.
    token: whole(({ payload, request }) =>
      Effect.andThen(
        withoutCache,
        exchange(
          payload,
          Effect.flatMap(
            clientCredentials(request, payload),
            (credentials) => isEmpty(credentials) ? Effect.undefined : authenticate(credentials)
          )
        )
      )
    ),
    revoke: whole(Effect.fnUntraced(function*(named) {
      const { clientId } = yield* clientOf(named)
      yield* namedTokens.revoke(clientId, yield* tokenOf(named))
    })),
    introspect: Effect.fnUntraced(function*(named) {
      const { clientId, confidential } = yield* clientOf(named)
      if (!confidential) return yield* new InvalidClient(InvalidClient.refused)
      yield* limits.spend("POST /api/oauth/introspect of a client", clientId, introspections)
      return yield* namedTokens.introspect(clientId, yield* tokenOf(named))
    })
  })
})
