import { flushSync } from "react-dom"
import { forgetDrafts, keepDraftsOf } from "../../shared/Drafts.ts"
import { openNews } from "../../shared/session/WindowNews.ts"
import type { GoogleReturn } from "../google/GoogleReturn.ts"
import { googleWords, signedInByGoogle } from "../google/GoogleSignIn.ts"
import { goTo } from "../Route.ts"
import { endSession, makeAccess, resumeSession } from "./Access.ts"
import { makeSessionKeeper } from "./SessionKeeper.ts"
import { readMark, writeMark } from "./SessionMark.ts"
import { News } from "./SessionNews.ts"

/** Makes the keeper of this window's session, and connects it with the browser's events. */
export const openSession = (returned: GoogleReturn | undefined) => {
  const news = openNews(News)
  const keeper = makeSessionKeeper({
    mark: { read: readMark, write: writeMark },
    drafts: { keepFor: keepDraftsOf, forget: forgetDrafts },
    tell: news.tell,
    goTo,
    service: { resumed: resumeSession, ended: endSession, makeAccess }
  })
  news.hear(keeper.hear)
  for (const event of ["pointerdown", "keydown", "wheel", "scroll"]) {
    addEventListener(event, keeper.use, { capture: true, passive: true })
  }
  setInterval(keeper.check, 10_000)
  addEventListener("visibilitychange", keeper.check)
  addEventListener("online", keeper.online)
  addEventListener("pagehide", () => flushSync(keeper.hide))
  addEventListener("pageshow", ({ persisted }) => persisted ? keeper.begin() : undefined)
  if (returned === undefined) keeper.begin()
  else keeper.beginWith(signedInByGoogle(returned), googleWords)
  return keeper
}
