import { Effect } from "effect"
import { ProviderPasswords } from "../../services/account/provider/ProviderPasswords.ts"
import { Providers } from "../../services/account/provider/Providers.ts"
import { Deletions } from "../../services/account/veteran/Deletions.ts"
import { Identities } from "../../services/account/veteran/Identities.ts"
import { Veterans } from "../../services/account/veteran/Veterans.ts"
import { Waitlist } from "../../services/account/veteran/Waitlist.ts"
import { AdminActs } from "../../services/operation/AdminActs.ts"
import { readMetrics } from "../../services/platform/Gauges.ts"
import { acceptedAnswer } from "../contract/Accepted.ts"
import { group, whole } from "../wire/Group.ts"

export const AdminHandlers = group("admin", function*(handlers) {
  const acts = yield* AdminActs
  const { operator: deletions } = yield* Deletions
  const identities = yield* Identities
  const passwords = yield* ProviderPasswords
  const providers = yield* Providers
  const veterans = yield* Veterans
  const waitlist = yield* Waitlist
  return handlers.handleAll({
    registerVeteran: ({ payload }) => veterans.register(payload),
    veterans: ({ query }) => veterans.list(query),
    changeVeteran: whole(({ params, payload }) => veterans.change(params.id, payload)),
    makePairingCode: ({ params }) => identities.makeCode(params.id),
    identities: ({ params }) => identities.list(params.id),
    removeIdentity: whole(({ params }) => identities.remove(params.id, params.identityId)),
    endAccess: whole(({ params }) => deletions.endAccess(params.id)),
    askDeletion: whole(({ params, payload }) => deletions.ask(params.id, payload.reason)),
    deletion: ({ params }) => deletions.find(params.id),
    cancelDeletion: whole(({ params }) => deletions.cancel(params.id)),
    registerProvider: ({ payload }) => providers.register(payload),
    providers: ({ query }) => providers.list(query),
    changeProvider: ({ params, payload }) => providers.change(params.providerId, payload),
    disableProvider: ({ params }) => providers.disable(params.providerId),
    enableProvider: ({ params }) => providers.enable(params.providerId),
    mailPasswordLink: ({ params }) => Effect.as(passwords.mailLink(params.providerId), acceptedAnswer),
    waitlist: ({ query }) => waitlist.list(query),
    removeSignup: ({ params }) => waitlist.remove(params.signupId),
    acts: ({ query }) => acts.list(query),
    metrics: () => readMetrics
  })
})
