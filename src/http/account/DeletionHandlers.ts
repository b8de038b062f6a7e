import { Deletions } from "../../services/account/veteran/Deletions.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"

export const DeletionHandlers = group("deletion", function*(handlers) {
  const deletions = yield* Deletions
  return handlers.handleAll({
    ask: whole(
      forVeteran((veteranId, { payload }, sessionId) => deletions.ask(veteranId, sessionId, payload.confirm))
    ),
    find: forVeteran(deletions.find),
    cancel: whole(forVeteran(deletions.cancel))
  })
})
