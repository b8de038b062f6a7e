import { Sharings } from "../../services/consent/Sharings.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"

export const SharingHandlers = group("sharing", function*(handlers) {
  const sharings = yield* Sharings
  return handlers.handleAll({
    list: forVeteran((veteranId, { query }) => sharings.list(veteranId, query)),
    stop: whole(forVeteran((veteranId, { params }) => sharings.stop(veteranId, params.kind, params.id))),
    stopAll: whole(forVeteran(sharings.stopAll))
  })
})
