import { Clients } from "../../services/oauth/Clients.ts"
import { group } from "../wire/Group.ts"

export const OAuthClientsHandlers = group("oauthClients", function*(handlers) {
  const clients = yield* Clients
  return handlers.handleAll({
    register: ({ payload }) => clients.register(payload),
    clients: ({ query }) => clients.list(query),
    disable: ({ params }) => clients.disable(params.clientId),
    rotateSecret: ({ params }) => clients.rotateSecret(params.clientId)
  })
})
