import { Invitations } from "../../services/account/provider/Invitations.ts"
import { forProvider } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"

export const InvitationsHandlers = group("invitations", function*(handlers) {
  const invitations = yield* Invitations
  return handlers.handleAll({
    make: forProvider((providerId, { payload }) => invitations.make(providerId, payload)),
    list: forProvider((providerId, { query }) => invitations.list(providerId, query)),
    revoke: forProvider((providerId, { params }) => invitations.revoke(providerId, params.invitationId))
  })
})
