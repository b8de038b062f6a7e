import { Effect, Layer } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { Invitations } from "../../services/account/provider/Invitations.ts"
import { ProviderAuth } from "../../services/account/provider/ProviderAuth.ts"
import { Providers } from "../../services/account/provider/Providers.ts"
import { VeteranSession } from "../../services/account/session/VeteranSession.ts"
import { Veterans } from "../../services/account/veteran/Veterans.ts"
import { Waitlist } from "../../services/account/veteran/Waitlist.ts"
import { ProviderNotes } from "../../services/patient/ProviderNotes.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { acceptedAnswer } from "../contract/Accepted.ts"
import { CurrentProvider, forVeteran } from "../contract/Authorization.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { group, whole } from "../wire/Group.ts"
import { makePortalCookie } from "./PortalCookie.ts"

const VeteranSessionHandlers = group("veteranSession", function*(handlers) {
  const session = yield* VeteranSession
  return handlers.handleAll({ exchange: ({ payload }) => session.exchange(payload) })
})

const VeteranOwnHandlers = group("veteran", function*(handlers) {
  const notes = yield* ProviderNotes
  const providers = yield* Providers
  const invitations = yield* Invitations
  const veterans = yield* Veterans
  return handlers.handleAll({
    me: forVeteran(veterans.me),
    providerNotes: forVeteran((veteranId, { query }) => notes.listForVeteran(veteranId, query)),
    providerDirectory: ({ query: { email, invitation, npi } }) => {
      const [find, ...others] = [
        ...(email === undefined ? [] : [providers.findByEmail(email)]),
        ...(npi === undefined ? [] : [providers.findByNpi(npi)]),
        ...(invitation === undefined ? [] : [invitations.find(invitation)])
      ]
      return find !== undefined && others.length === 0
        ? find
        : Effect.fail(InvalidRequest.at(["email"], "Expected exactly one of email, npi and invitation"))
    }
  })
})

export const VeteranHandlers = Layer.mergeAll(VeteranSessionHandlers, VeteranOwnHandlers)

const ProviderLoginHandlers = group("providerLogin", function*(handlers) {
  const auth = yield* ProviderAuth
  const cookie = yield* makePortalCookie
  const { trustedProxyHops } = yield* Settings
  return handlers.handleAll({
    login: whole(Effect.fnUntraced(function*({ payload, request }) {
      const session = yield* auth.login(payload, clientNetwork(request, trustedProxyHops))
      yield* cookie.begin(session)
      return yield* auth.access(session)
    }))
  })
})

/** Sets no cookie: the browser already has one, and must not get it back if the person has signed out meanwhile. */
const ProviderResumptionHandlers = group("providerResumption", function*(handlers) {
  const auth = yield* ProviderAuth
  return handlers.handleAll({ resume: () => Effect.flatMap(CurrentProvider, auth.access) })
})

const ProviderSessionHandlers = group("providerSession", function*(handlers) {
  const auth = yield* ProviderAuth
  const cookie = yield* makePortalCookie
  return handlers.handleAll({
    logout: whole(() => Effect.andThen(Effect.flatMap(CurrentProvider, auth.logout), cookie.clear)),
    refresh: Effect.fnUntraced(function*() {
      const session = yield* CurrentProvider
      yield* cookie.renew(session)
      return yield* auth.access(session)
    }),
    me: () => Effect.map(CurrentProvider, ({ provider }) => provider)
  })
})

export const ProviderHandlers = Layer.mergeAll(
  ProviderLoginHandlers,
  ProviderResumptionHandlers,
  ProviderSessionHandlers
)

export const WaitlistHandlers = group("waitlist", function*(handlers) {
  const waitlist = yield* Waitlist
  return handlers.handleAll({
    join: ({ payload }) => Effect.as(waitlist.join(payload.email), acceptedAnswer)
  })
})
