import { ConsentGrants } from "../../services/consent/ConsentGrants.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"

export const ConsentHandlers = group("consent", function*(handlers) {
  const grants = yield* ConsentGrants
  return handlers.handleAll({
    list: forVeteran((veteranId, { query }) => grants.list(veteranId, query)),
    give: forVeteran((veteranId, { payload }) => grants.give(veteranId, payload)),
    revoke: whole(forVeteran((veteranId, { params }) => grants.revoke(veteranId, params.grantId)))
  })
})
