import { Effect } from "effect"
import { Passkeys } from "../../services/account/Passkeys.ts"
import { CurrentVeteran, forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"

export const PasskeysHandlers = group(
  "passkeys",
  Effect.fn(function*(handlers) {
    const passkeys = yield* Passkeys
    return handlers.handleAll({
      list: forVeteran(passkeys.list),
      challenge: forVeteran(passkeys.challenge),
      add: {
        handler: ({ payload }) =>
          Effect.flatMap(
            CurrentVeteran,
            ({ session, veteranId }) => passkeys.add(veteranId, session.id, payload)
          ),
        options: { uninterruptible: true }
      },
      remove: {
        handler: forVeteran((veteranId, { params }) => passkeys.remove(veteranId, params.passkeyId)),
        options: { uninterruptible: true }
      }
    })
  })
)
