import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ConsentGrants } from "../../services/consent/ConsentGrants.ts"
import { Api } from "../Api.ts"
import { forVeteran } from "../Authorization.ts"

export const ConsentHandlers = HttpApiBuilder.group(
  Api,
  "consent",
  Effect.fn(function*(handlers) {
    const grants = yield* ConsentGrants
    return handlers.handleAll({
      list: forVeteran((veteranId, { query }) => grants.list(veteranId, query)),
      give: forVeteran((veteranId, { payload }) => grants.give(veteranId, payload)),
      revoke: {
        handler: forVeteran((veteranId, { params }) => grants.revoke(veteranId, params.grantId)),
        options: { uninterruptible: true }
      }
    })
  })
)
