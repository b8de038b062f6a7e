import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ConsentGrants } from "../../services/consent/ConsentGrants.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"

export const ConsentHandlers = HttpApiBuilder.group(
  Api,
  "consent",
  Effect.fn(function*(handlers) {
    const grants = yield* ConsentGrants
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => grants.list(veteranId, query)),
      give: ({ payload }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => grants.give(veteranId, payload)),
      revoke: {
        handler: ({ params }) =>
          Effect.flatMap(CurrentVeteran, ({ veteranId }) => grants.revoke(veteranId, params.grantId)),
        options: { uninterruptible: true }
      }
    })
  })
)
