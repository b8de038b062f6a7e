import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { InvalidClient, invalidRequest } from "../../domain/OAuthError.ts"
import type { NamedToken } from "../../domain/OAuthToken.ts"
import { ClientProofs, isUnnamed } from "../../services/oauth/ClientProofs.ts"
import { NamedTokens } from "../../services/oauth/NamedTokens.ts"
import { Tokens } from "../../services/oauth/Tokens.ts"
import { RateLimits } from "../../services/platform/RateLimits.ts"
import { group } from "../wire/Group.ts"
import { shownClient } from "./ShownClient.ts"

/** For each client, whatever address its servers ask from. */
const introspections = { permits: 600, seconds: 60, leased: true }

/** `no-store` is on every answer; caches of HTTP/1.0 know this alone (RFC 6749, 5.1). */
const withoutCache = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "pragma", "no-cache"))
)

interface Named {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly payload: NamedToken
}

export const OAuthTokenHandlers = group(
  "oauthTokens",
  Effect.fn(function*(handlers) {
    const { prove } = yield* ClientProofs
    const limits = yield* RateLimits
    const namedTokens = yield* NamedTokens
    const tokens = yield* Tokens

    const proven = ({ payload, request }: Named) => Effect.flatMap(shownClient(request, payload), prove)

    const tokenOf = ({ payload: { token } }: Named) =>
      token === undefined ? Effect.fail(invalidRequest("'token' is missing.")) : Effect.succeed(token)

    return handlers.handleAll({
      // What is spent is answered, even if the client hangs up.
      token: {
        handler: ({ payload, request }) =>
          Effect.andThen(
            withoutCache,
            tokens.exchange(
              payload,
              Effect.flatMap(
                shownClient(request, payload),
                (shown) => isUnnamed(shown) ? Effect.undefined : prove(shown)
              )
            )
          ),
        options: { uninterruptible: true }
      },
      revoke: {
        handler: Effect.fnUntraced(function*(named) {
          const { clientId } = yield* proven(named)
          yield* namedTokens.revoke(clientId, yield* tokenOf(named))
        }),
        options: { uninterruptible: true }
      },
      introspect: Effect.fnUntraced(function*(named) {
        const { clientId, confidential } = yield* proven(named)
        if (!confidential) return yield* new InvalidClient(InvalidClient.refused)
        yield* limits.spend("POST /api/oauth/introspect of a client", clientId, introspections)
        return yield* namedTokens.introspect(clientId, yield* tokenOf(named))
      })
    })
  })
)
