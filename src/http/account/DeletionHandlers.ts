import { Effect } from "effect"
import { Deletions } from "../../services/account/Deletions.ts"
import { CurrentVeteran, forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"

export const DeletionHandlers = group(
  "deletion",
  Effect.fn(function*(handlers) {
    const deletions = yield* Deletions
    const options = { uninterruptible: true }
    return handlers.handleAll({
      ask: {
        handler: ({ payload }) =>
          Effect.flatMap(
            CurrentVeteran,
            ({ session, veteranId }) => deletions.ask(veteranId, session.id, payload.confirm)
          ),
        options
      },
      find: forVeteran(deletions.find),
      cancel: { handler: forVeteran(deletions.cancel), options }
    })
  })
)
