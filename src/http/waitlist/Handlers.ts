import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Waitlist } from "../../services/Waitlist.ts"
import { Api } from "../Api.ts"

export const WaitlistHandlers = HttpApiBuilder.group(
  Api,
  "waitlist",
  Effect.fn(function*(handlers) {
    const waitlist = yield* Waitlist
    return handlers.handleAll({
      join: ({ payload }) => Effect.as(waitlist.join(payload.email), { status: "accepted" as const })
    })
  })
)
