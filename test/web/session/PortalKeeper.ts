import { Effect } from "effect"
import type { ProviderId } from "../../../src/domain/Id.ts"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { makeSessionKeeper } from "../../../web/portal/session/SessionKeeper.ts"
import type { SessionMark } from "../../../web/portal/session/SessionMark.ts"
import { fakeAccess, fakeService, seen } from "./FakeService.ts"

export const providerNamed = (id: string): ProviderAccess => ({
  accessToken: `token of ${id}`,
  tokenType: "Bearer",
  expiresIn: 3_600,
  provider: {
    id: id as ProviderId,
    email: `${id}@example.org`,
    displayName: id,
    organization: "Clinic",
    npi: null,
    createdAt: new Date(0)
  }
})

/** Opens the portal's keeper with a fake browser and a fake service. `calls` records what it asked of them. */
export const openKeeper = (mark?: SessionMark) => {
  const calls: Array<string> = []
  const service = fakeService(providerNamed("ann"))
  const kept = { mark }
  const keeper = makeSessionKeeper({
    mark: { read: () => kept.mark, write: (next) => void (kept.mark = next) },
    drafts: { keepFor: (id) => calls.push(`keep drafts for ${id}`), forget: () => calls.push("forget drafts") },
    tell: (news) => calls.push(`tell ${news.is}`),
    goTo: ({ screen }) => calls.push(`go to ${screen}`),
    service: {
      resumed: Effect.suspend(() => service.renewed),
      ended: (token) =>
        Effect.suspend(() => {
          calls.push(`end ${token}`)
          return service.ended
        }),
      makeAccess: (answer) => fakeAccess(service, answer)
    }
  })
  return { calls, keeper, kept, service, ...seen(keeper) }
}

/** A keeper in whose window the provider Ann has signed in. */
export const openSignedIn = async () => {
  const opened = openKeeper()
  opened.keeper.begin()
  opened.keeper.signedIn(providerNamed("ann"))
  opened.calls.length = 0
  return opened
}
