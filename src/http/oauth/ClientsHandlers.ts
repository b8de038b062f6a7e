import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Clients } from "../../services/oauth/Clients.ts"
import { Api } from "../Api.ts"

export const OAuthClientsHandlers = HttpApiBuilder.group(
  Api,
  "oauthClients",
  Effect.fn(function*(handlers) {
    const clients = yield* Clients
    return handlers.handleAll({
      register: ({ payload }) => clients.register(payload),
      clients: ({ query }) => clients.list(query),
      disable: ({ params }) => clients.disable(params.clientId),
      rotateSecret: ({ params }) => clients.rotateSecret(params.clientId)
    })
  })
)
