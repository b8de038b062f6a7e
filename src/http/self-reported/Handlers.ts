import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SelfReportedEntries } from "../../services/SelfReportedEntries.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"

export const SelfReportedHandlers = HttpApiBuilder.group(
  Api,
  "selfReported",
  Effect.fn(function*(handlers) {
    const entries = yield* SelfReportedEntries
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.list(veteranId, query)),
      create: ({ payload }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.create(veteranId, payload)),
      change: ({ params, payload }) =>
        Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.change(veteranId, params.entryId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.remove(veteranId, params.entryId))
    })
  })
)
