import { Passkeys } from "../../services/account/session/Passkeys.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"

export const PasskeysHandlers = group("passkeys", function*(handlers) {
  const passkeys = yield* Passkeys
  return handlers.handleAll({
    list: forVeteran(passkeys.list),
    challenge: forVeteran(passkeys.challenge),
    add: whole(forVeteran((veteranId, { payload }, sessionId) => passkeys.add(veteranId, sessionId, payload))),
    remove: whole(forVeteran((veteranId, { params }) => passkeys.remove(veteranId, params.passkeyId)))
  })
})
