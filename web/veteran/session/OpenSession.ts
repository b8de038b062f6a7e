import { Effect } from "effect"
import { flushSync } from "react-dom"
import { forgetDrafts, forgetHealthDrafts, keepDraftsOf } from "../../shared/Drafts.ts"
import { openNews } from "../../shared/session/WindowNews.ts"
import { signedInByVa } from "../connect/Connect.ts"
import { keepInvite, waitingInvite } from "../connect/Invite.ts"
import { keepReturn } from "../connect/KeptReturn.ts"
import { keepVaGrant } from "../connect/VaGrant.ts"
import { takeJourney, type VaReturn } from "../connect/VaReturn.ts"
import { goTo } from "../Route.ts"
import { isHeld, makeHeldLock } from "../shell/HeldLock.ts"
import { forgetShell } from "../shell/Shell.ts"
import { makeAccess } from "./Access.ts"
import { rememberAway, takeAway } from "./Away.ts"
import { forgetDevice, forgetSession } from "./DeviceKey.ts"
import { endSession, keptSessionId, renewSession } from "./KeptSession.ts"
import { makeSessionKeeper } from "./SessionKeeper.ts"
import { News } from "./SessionNews.ts"

/**
 * Each signed-in window holds this lock, so that a new window knows whether the session is in use. Browsers do not
 * freeze a page that holds one, so that it locks in time.
 */
const signedInLock = "vrss-signed-in"

/** Makes the keeper of this window's session, and connects it with the browser's events. */
export const openSession = (returned: VaReturn | undefined) => {
  const news = openNews(News)
  const isVisible = () => document.visibilityState === "visible"
  const keeper = makeSessionKeeper({
    isVisible,
    cover: (covered) => document.documentElement.classList.toggle("covered", covered),
    away: { remember: rememberAway, take: takeAway },
    windows: {
      hold: makeHeldLock(signedInLock),
      isAnySignedIn: Effect.promise(() => isHeld(signedInLock)),
      tell: news.tell
    },
    device: {
      sessionId: keptSessionId,
      forgetSession: (id) => Effect.promise(() => forgetSession(id)),
      forgetKey: Effect.promise(forgetDevice),
      forget: Effect.promise(() => Promise.all([forgetDevice(), forgetShell()]))
    },
    drafts: { keepFor: keepDraftsOf, forget: forgetDrafts },
    forgetHealth: () => {
      keepVaGrant(undefined)
      forgetHealthDrafts()
    },
    // A veteran who signs in after another lands at home, and a clinic's code still at the share.
    goTo: (route) => goTo(route.screen === "home" && waitingInvite() !== undefined ? { screen: "share" } : route),
    service: { renewed: renewSession, ended: endSession, makeAccess: (answer) => makeAccess(answer, renewSession) }
  })
  news.hear(keeper.hear)
  for (const event of ["pointerdown", "keydown", "wheel", "scroll"]) {
    addEventListener(event, keeper.use, { capture: true, passive: true })
  }
  setInterval(keeper.check, 10_000)
  addEventListener("visibilitychange", () => isVisible() ? keeper.shown() : keeper.hidden())
  addEventListener("online", keeper.online)
  // The browser may keep the page in memory, and show it again by the back button.
  addEventListener("pagehide", () => {
    keeper.hidden()
    flushSync(keeper.rest)
  })
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return
    takeJourney()
    keeper.shown()
  })
  const known = returned === undefined || returned.is === "foreign" ? undefined : returned
  if (known?.journey.invite !== undefined) keepInvite(known.journey.invite)
  const isWithin = known?.journey.purpose !== undefined
  if (isWithin) keepReturn(known)
  keeper.begin(returned === undefined || isWithin ? undefined : signedInByVa(returned))
  return keeper
}
