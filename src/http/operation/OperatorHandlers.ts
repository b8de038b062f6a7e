import { Effect } from "effect"
import { Providers } from "../../services/account/Providers.ts"
import { Veterans } from "../../services/account/Veterans.ts"
import { Waitlist } from "../../services/account/Waitlist.ts"
import { readMetrics } from "../../services/platform/Gauges.ts"
import { group } from "../wire/Group.ts"

export const AdminHandlers = group(
  "admin",
  Effect.fn(function*(handlers) {
    const providers = yield* Providers
    const veterans = yield* Veterans
    const waitlist = yield* Waitlist
    return handlers.handleAll({
      registerVeteran: ({ payload }) => veterans.register(payload),
      veterans: ({ query }) => veterans.list(query),
      registerProvider: ({ payload }) => providers.register(payload),
      providers: ({ query }) => providers.list(query),
      disableProvider: ({ params }) => providers.disable(params.providerId),
      waitlist: ({ query }) => waitlist.list(query),
      metrics: () => readMetrics
    })
  })
)
