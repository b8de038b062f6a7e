import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ProviderAuth } from "../../services/ProviderAuth.ts"
import { Api } from "../Api.ts"
import { CurrentProvider } from "../Authorization.ts"

const ProviderLoginHandlers = HttpApiBuilder.group(
  Api,
  "providerLogin",
  Effect.fn(function*(handlers) {
    const auth = yield* ProviderAuth
    return handlers.handleAll({
      login: { handler: ({ payload }) => auth.login(payload), options: { uninterruptible: true } }
    })
  })
)

const ProviderSessionHandlers = HttpApiBuilder.group(
  Api,
  "providerSession",
  Effect.fn(function*(handlers) {
    const auth = yield* ProviderAuth
    return handlers.handleAll({
      logout: { handler: () => Effect.flatMap(CurrentProvider, auth.logout), options: { uninterruptible: true } },
      refresh: () => Effect.flatMap(CurrentProvider, auth.refresh),
      me: () => Effect.map(CurrentProvider, ({ provider }) => provider)
    })
  })
)

export const ProviderHandlers = Layer.mergeAll(ProviderLoginHandlers, ProviderSessionHandlers)
