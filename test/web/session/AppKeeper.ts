import { Effect } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { makeSessionKeeper } from "../../../web/veteran/session/SessionKeeper.ts"
import { fakeAccess, fakeService, minute, seen, settle } from "./FakeService.ts"

export const veteranNamed = (id: string): AppAccess => ({
  accessToken: `token of ${id}`,
  tokenType: "Bearer",
  expiresIn: 900,
  veteran: { id: id as VeteranId, callSign: id },
  sessionId: `session of ${id}`,
  sessionEndsAt: new Date(Date.now() + 720 * minute),
  previousSessionAt: null,
  confirmedUntil: null
})

/** Opens the app's keeper with a fake browser and a fake service. `calls` records what it asked of them. */
export const openKeeper = ({ sessionId, recent = true }: { sessionId?: string; recent?: boolean } = {}) => {
  const calls: Array<string> = []
  const browser = { isVisible: true, isRecent: recent, isAnySignedIn: false, covered: false, held: false }
  const service = fakeService(veteranNamed("ann"))
  const device: { sessionId: string | undefined } = { sessionId }
  const keeper = makeSessionKeeper({
    isVisible: () => browser.isVisible,
    cover: (covered) => {
      browser.covered = covered
    },
    away: {
      remember: () => {
        browser.isRecent = true
      },
      take: () => {
        const taken = browser.isRecent
        browser.isRecent = false
        return taken
      }
    },
    windows: {
      hold: (isSignedIn) => {
        browser.held = isSignedIn
      },
      isAnySignedIn: Effect.sync(() => browser.isAnySignedIn),
      tell: (news) => calls.push(`tell ${news.is}${news.is === "locked" ? ` ${news.ending}` : ""}`)
    },
    device: {
      sessionId: Effect.sync(() => device.sessionId),
      forgetSession: (id) =>
        Effect.sync(() => {
          if (device.sessionId === id) device.sessionId = ""
        }),
      forgetKey: Effect.sync(() => {
        calls.push("forget the key")
      }),
      forget: Effect.sync(() => {
        device.sessionId = undefined
        calls.push("forget the device")
      })
    },
    drafts: { keepFor: (id) => calls.push(`keep drafts for ${id}`), forget: () => calls.push("forget drafts") },
    forgetHealth: () => calls.push("forget health data"),
    goTo: ({ screen }) => calls.push(`go to ${screen}`),
    service: {
      renewed: Effect.suspend(() => service.renewed),
      ended: (id, token) =>
        Effect.suspend(() => {
          calls.push(`end ${id} by ${token ?? "key"}`)
          return service.ended
        }),
      makeAccess: (answer) => fakeAccess(service, answer)
    }
  })
  const hide = () => {
    browser.isVisible = false
    keeper.hidden()
  }
  const show = () => {
    browser.isVisible = true
    keeper.shown()
  }
  return { browser, calls, device, hide, keeper, service, show, ...seen(keeper) }
}

/** A keeper in whose window the veteran Ann has signed in. */
export const openSignedIn = async () => {
  const opened = openKeeper({ sessionId: "session of ann" })
  opened.keeper.begin()
  await settle()
  opened.browser.isRecent = false
  opened.calls.length = 0
  return opened
}
