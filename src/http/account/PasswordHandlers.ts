import { Effect, Layer } from "effect"
import { ProviderPasswords } from "../../services/account/provider/ProviderPasswords.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { acceptedAnswer } from "../contract/Accepted.ts"
import { CurrentProvider } from "../contract/Authorization.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { group } from "../wire/Group.ts"

const ForgottenPasswordHandlers = group("forgottenPassword", function*(handlers) {
  const passwords = yield* ProviderPasswords
  return handlers.handleAll({
    forgot: ({ payload }) => Effect.as(passwords.forgot(payload.email), acceptedAnswer),
    set: ({ payload }) => passwords.set(payload)
  })
})

const ChangeHandlers = group("password", function*(handlers) {
  const passwords = yield* ProviderPasswords
  const { trustedProxyHops } = yield* Settings
  return handlers.handleAll({
    change: ({ payload, request }) =>
      Effect.flatMap(
        CurrentProvider,
        (session) => passwords.change(session, payload, clientNetwork(request, trustedProxyHops))
      )
  })
})

export const PasswordHandlers = Layer.mergeAll(ForgottenPasswordHandlers, ChangeHandlers)
