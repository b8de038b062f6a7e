import { Effect, Schedule } from "effect"
import { useSyncExternalStore } from "react"
import { flushSync } from "react-dom"
import type { ProviderAccess } from "../../src/domain/Provider.ts"
import { run } from "../shared/Call.ts"
import type { Problem } from "../shared/Problem.ts"
import { type Access, ended, isRefused, makeAccess, resumed } from "./Access.ts"
import { forgetDrafts, keepDraftsOf } from "./Drafts.ts"
import type { GoogleReturn } from "./google/GoogleReturn.ts"
import { googleWords, signedInByGoogle } from "./google/GoogleSignIn.ts"
import { idleFor, idleLimit, idleWarning, noteUse, watchUse } from "./Idle.ts"
import { goTo } from "./Route.ts"
import type { Session } from "./Session.ts"
import { readMark, writeMark } from "./SessionMark.ts"
import { hearWindows, type News, tellWindows } from "./SessionNews.ts"

/** Why a session ended, as far as this page can know. */
export type Ending = "time" | "idle" | "elsewhere" | "unknown"

/** Where the visitor stands. */
export type Standing =
  | { readonly is: "resuming" }
  | { readonly is: "unresumed"; readonly problem: Problem }
  | { readonly is: "signedOut"; readonly ending?: Ending; readonly refusal?: string }
  | { readonly is: "ended"; readonly ending: Ending }
  | { readonly is: "signedIn"; readonly session: Session; readonly idle: boolean }

let standing: Standing = { is: "resuming" }

/** True while the service has not yet answered that a sign-out is done. */
let unfinished = false

const listeners = new Set<() => void>()

const tell = () => listeners.forEach((changed) => changed())

const stand = (next: Standing) => {
  standing = next
  tell()
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

export const useStanding = () => useSyncExternalStore(subscribe, () => standing)

export const useUnfinished = () => useSyncExternalStore(subscribe, () => unfinished)

let access: Access | undefined

let lastProvider: string | undefined

/** Gives up the resuming, or the finishing of a sign-out, that is under way. */
let giveUp = () => {}

const noteUnfinished = (value: boolean) => {
  unfinished = value
  tell()
}

const enter = (answer: ProviderAccess) => {
  giveUp()
  const mine = makeAccess(answer)
  access = mine
  // Who comes after another does not land on the other's patient.
  if (lastProvider !== undefined && lastProvider !== mine.provider.id) goTo({ screen: "patients" })
  lastProvider = mine.provider.id
  keepDraftsOf(mine.provider.id)
  writeMark("kept")
  noteUse()
  unfinished = false
  stand({
    is: "signedIn",
    idle: false,
    session: {
      provider: mine.provider,
      call: (use) => endedWhereRefused(mine, mine.call(use)),
      authorization: mine.authorization,
      end: () => endOf(mine),
      signOut: () => {
        forgetDrafts()
        goTo({ screen: "patients" })
        leave({ is: "signedOut" }, { is: "signedOut" })
      }
    }
  })
}

/** Somebody has just signed in here. */
export const signedIn = (answer: ProviderAccess) => {
  enter(answer)
  tellWindows({ is: "signedIn", providerId: answer.provider.id })
}

/** The session is over at the service. A late answer of an older one ends nothing. */
const endOf = (mine: Access, ending: Ending = mine.isOver() ? "time" : "unknown") => {
  if (access !== mine) return
  access = undefined
  writeMark(undefined)
  stand({ is: "ended", ending })
}

const endedWhereRefused = <A>(mine: Access, call: Effect.Effect<A, Problem>) =>
  Effect.tapError(call, (problem) => Effect.sync(() => isRefused(problem) ? endOf(mine) : undefined))

/** Ends the session here at once, and at the service as soon as that can be reached. */
const leave = (next: Standing, news: News) => {
  const token = access?.token()
  access = undefined
  writeMark("ending")
  tellWindows(news)
  stand(next)
  finish(token)
}

/**
 * Only the service can take the cookie away. Until it has, the mark keeps a reload from going on with the session, and the
 * provider is told.
 */
const finish = (token: string | undefined) => {
  giveUp()
  giveUp = run(
    ended(token).pipe(
      Effect.tapError(() => Effect.sync(() => noteUnfinished(true))),
      Effect.retry(Schedule.spaced("5 seconds"))
    ),
    () => {
      writeMark(undefined)
      noteUnfinished(false)
    }
  )
}

/** Waits for a session, which `then` is told of; `refused` is what follows where there is none. */
const awaitSession = (
  session: Effect.Effect<ProviderAccess, unknown>,
  then: (answer: ProviderAccess) => void,
  refused: (problem: Problem) => void
) => {
  giveUp()
  stand({ is: "resuming" })
  giveUp = run(session, (outcome) => outcome.is === "done" ? then(outcome.value) : refused(outcome.problem))
}

export const resume = () =>
  awaitSession(resumed, enter, (problem) => {
    if (!isRefused(problem)) return stand({ is: "unresumed", problem })
    writeMark(undefined)
    stand({ is: "signedOut", ending: "unknown" })
  })

/** From the words on why a session ended to the sign-in, at the same address. */
export const signInAgain = () => {
  if (standing.is === "ended") stand({ is: "signedOut", ending: standing.ending })
}

const begin = (refusal?: string) => {
  const mark = readMark()
  if (mark === "kept") return resume()
  stand(refusal === undefined ? { is: "signedOut" } : { is: "signedOut", refusal })
  if (mark === "ending") finish(undefined)
}

let checkedAt = Date.now()

const check = () => {
  const now = Date.now()
  const slept = now - checkedAt > 90_000
  checkedAt = now
  if (access === undefined || standing.is !== "signedIn") return
  // What other windows told meanwhile is heard first: somebody may be at work there.
  if (slept) return void setTimeout(check, 1_000)
  if (access.isOver()) return endOf(access)
  if (idleFor() >= idleLimit) return leave({ is: "ended", ending: "idle" }, { is: "leftIdle" })
  const idle = idleFor() >= idleWarning
  if (idle !== standing.idle) stand({ ...standing, idle })
  if (access.isDue()) run(endedWhereRefused(access, access.renewed), () => {})
}

hearWindows((news) => {
  if (news.is === "used") {
    noteUse()
    return check()
  }
  if (news.is === "signedIn") {
    if (access === undefined) return resume()
    return access.provider.id === news.providerId ? undefined : endOf(access, "elsewhere")
  }
  const within = access !== undefined || standing.is === "resuming"
  // A sign-out of this window's own, which may be under way too, is finished all the same.
  if (within) giveUp()
  access = undefined
  if (news.is === "leftIdle") return within ? stand({ is: "ended", ending: "idle" }) : undefined
  forgetDrafts()
  goTo({ screen: "patients" })
  stand({ is: "signedOut", ending: "elsewhere" })
})

const used = () => {
  if (access === undefined) return
  tellWindows({ is: "used" })
  check()
}

// A key or a touch while the question is shown may be meant for what was there before it: only its button answers.
watchUse(() => standing.is === "signedIn" && standing.idle, used)

/** The provider says to be there. */
export const stay = () => {
  noteUse()
  used()
}

setInterval(check, 10_000)
addEventListener("visibilitychange", check)
addEventListener("online", () => standing.is === "unresumed" ? resume() : check())

// A page that is kept to be gone back to keeps no record: somebody may have signed out by then.
addEventListener("pagehide", () => {
  if (access === undefined) return
  access = undefined
  flushSync(() => stand({ is: "resuming" }))
})
addEventListener("pageshow", ({ persisted }) => persisted ? begin() : undefined)

/** Called once, when the page begins. */
export const startSession = (returned: GoogleReturn | undefined) => {
  if (returned === undefined) return begin()
  // Whoever is signed in stays so, whatever the address said.
  awaitSession(signedInByGoogle(returned), signedIn, (problem) => begin(googleWords(problem)))
}
