import { Effect } from "effect"
import { Sharings } from "../../services/consent/Sharings.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"

export const SharingHandlers = group(
  "sharing",
  Effect.fn(function*(handlers) {
    const sharings = yield* Sharings
    return handlers.handleAll({
      list: forVeteran((veteranId, { query }) => sharings.list(veteranId, query)),
      stop: {
        handler: forVeteran((veteranId, { params }) => sharings.stop(veteranId, params.kind, params.id)),
        options: { uninterruptible: true }
      },
      stopAll: { handler: forVeteran(sharings.stopAll), options: { uninterruptible: true } }
    })
  })
)
