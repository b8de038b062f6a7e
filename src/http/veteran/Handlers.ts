import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ProviderNotes } from "../../services/ProviderNotes.ts"
import { Providers } from "../../services/Providers.ts"
import { Veterans } from "../../services/Veterans.ts"
import { VeteranSession } from "../../services/VeteranSession.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"

const VeteranSessionHandlers = HttpApiBuilder.group(
  Api,
  "veteranSession",
  Effect.fn(function*(handlers) {
    const session = yield* VeteranSession
    return handlers.handleAll({ exchange: ({ payload }) => session.exchange(payload.vaPatientId) })
  })
)

const VeteranOwnHandlers = HttpApiBuilder.group(
  Api,
  "veteran",
  Effect.fn(function*(handlers) {
    const notes = yield* ProviderNotes
    const providers = yield* Providers
    const veterans = yield* Veterans
    return handlers.handleAll({
      me: () => Effect.flatMap(CurrentVeteran, ({ veteranId }) => veterans.me(veteranId)),
      providerNotes: ({ query }) =>
        Effect.flatMap(CurrentVeteran, ({ veteranId }) => notes.listForVeteran(veteranId, query)),
      providerDirectory: ({ query }) => providers.directory(query.email)
    })
  })
)

export const VeteranHandlers = Layer.mergeAll(VeteranSessionHandlers, VeteranOwnHandlers)
