import { Effect, Schedule } from "effect"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { makeIdle } from "../../shared/session/Idle.ts"
import type { Route } from "../Route.ts"
import { type Access, isRefused } from "./Access.ts"
import type { Session } from "./Session.ts"
import type { SessionMark } from "./SessionMark.ts"
import type { News } from "./SessionNews.ts"

/** A clinic's computer may be left unlocked (45 CFR 164.312(a)(2)(iii)). */
const idleLimits = { limit: 30 * 60_000, warnedBefore: 2 * 60_000 }

/** Why a session ended, as far as this window can know. */
export type Ending = "time" | "idle" | "elsewhere" | "unknown"

/** What the portal shows: a signed-in session, or why there is none. */
export type Standing =
  | { readonly is: "resuming" }
  | { readonly is: "unresumed"; readonly problem: Problem }
  | { readonly is: "signedOut"; readonly ending?: Ending; readonly refusal?: string }
  | { readonly is: "ended"; readonly ending: Ending }
  | { readonly is: "signedIn"; readonly session: Session; readonly idle: boolean }

interface State {
  readonly standing: Standing
  /** True if a sign-out failed at the service and is being repeated. */
  readonly unfinished: boolean
}

/** What a keeper uses of the browser and of the service. */
export interface Surroundings {
  readonly clock: { readonly now: () => number; readonly after: (milliseconds: number, then: () => void) => void }
  readonly mark: {
    readonly read: () => SessionMark | undefined
    readonly write: (mark: SessionMark | undefined) => void
  }
  readonly drafts: { readonly keepFor: (providerId: string) => void; readonly forget: () => void }
  /** Tells the portal's other windows. */
  readonly tell: (news: News) => void
  readonly goTo: (route: Route) => void
  readonly service: {
    readonly resumed: Effect.Effect<ProviderAccess, Problem>
    readonly ended: (token: string | undefined) => Effect.Effect<void, Problem>
    readonly makeAccess: (answer: ProviderAccess) => Access
  }
}

export type SessionKeeper = ReturnType<typeof makeSessionKeeper>

/** The state machine of a window's session. The browser's events are its inputs (OpenSession.ts). */
export const makeSessionKeeper = ({ clock, drafts, goTo, mark, service, tell }: Surroundings) => {
  const idle = makeIdle(clock.now, idleLimits)
  const listeners = new Set<() => void>()
  let state: State = { standing: { is: "resuming" }, unfinished: false }
  let access: Access | undefined
  let lastProvider: string | undefined
  let checkedAt = clock.now()
  /** Stops the resumption, or the unfinished sign-out, that is under way. */
  let giveUp = () => {}

  const become = (changes: Partial<State>) => {
    state = { ...state, ...changes }
    listeners.forEach((changed) => changed())
  }

  const stand = (standing: Standing) => become({ standing })

  const enter = (answer: ProviderAccess) => {
    giveUp()
    const mine = service.makeAccess(answer)
    access = mine
    // A provider who signs in after another must not land on the other's patient.
    if (lastProvider !== undefined && lastProvider !== mine.provider.id) goTo({ screen: "patients" })
    lastProvider = mine.provider.id
    drafts.keepFor(mine.provider.id)
    mark.write("kept")
    idle.note()
    const session: Session = {
      provider: mine.provider,
      call: (use) => endedIfRefused(mine, mine.call(use)),
      authorization: mine.authorization,
      end: () => endOf(mine),
      signOut: () => {
        drafts.forget()
        goTo({ screen: "patients" })
        leave({ is: "signedOut" }, { is: "signedOut" })
      }
    }
    become({ standing: { is: "signedIn", idle: false, session }, unfinished: false })
  }

  /** A provider has just signed in, in this window. */
  const signedIn = (answer: ProviderAccess) => {
    enter(answer)
    tell({ is: "signedIn", providerId: answer.provider.id })
  }

  /** The service has ended the session. A late refusal of an older session changes nothing. */
  const endOf = (mine: Access, ending: Ending = mine.isOver() ? "time" : "unknown") => {
    if (access !== mine) return
    access = undefined
    mark.write(undefined)
    stand({ is: "ended", ending })
  }

  const endedIfRefused = <A>(mine: Access, call: Effect.Effect<A, Problem>) =>
    Effect.tapError(call, (problem) => Effect.sync(() => isRefused(problem) ? endOf(mine) : undefined))

  /** Ends the session here immediately, and at the service as soon as the service can be reached. */
  const leave = (next: Standing, news: News) => {
    const token = access?.token()
    access = undefined
    mark.write("ending")
    tell(news)
    stand(next)
    finish(token)
  }

  /**
   * Only the service can delete the cookie. Until it has, the mark keeps a reload from resuming the session, and the
   * provider sees that the sign-out is not finished.
   */
  const finish = (token: string | undefined) => {
    giveUp()
    giveUp = run(
      service.ended(token).pipe(
        Effect.tapError(() => Effect.sync(() => become({ unfinished: true }))),
        Effect.retry(Schedule.spaced("5 seconds"))
      ),
      () => {
        mark.write(undefined)
        become({ unfinished: false })
      }
    )
  }

  const awaitSession = (
    session: Effect.Effect<ProviderAccess, unknown>,
    then: (answer: ProviderAccess) => void,
    refused: (problem: Problem) => void
  ) => {
    giveUp()
    stand({ is: "resuming" })
    giveUp = run(session, (outcome) => outcome.is === "done" ? then(outcome.value) : refused(outcome.problem))
  }

  const resume = () =>
    awaitSession(service.resumed, enter, (problem) => {
      if (!isRefused(problem)) return stand({ is: "unresumed", problem })
      mark.write(undefined)
      stand({ is: "signedOut", ending: "unknown" })
    })

  /** The page has been loaded; `refusal` says why a sign-in by Google failed. */
  const begin = (refusal?: string) => {
    const remembered = mark.read()
    if (remembered === "kept") return resume()
    stand(refusal === undefined ? { is: "signedOut" } : { is: "signedOut", refusal })
    if (remembered === "ending") finish(undefined)
  }

  /** Called every ten seconds, and whenever the window is seen again. */
  const check = () => {
    const now = clock.now()
    const slept = now - checkedAt > 90_000
    checkedAt = now
    const { standing } = state
    if (access === undefined || standing.is !== "signedIn") return
    // After the computer slept, messages from other windows must arrive first: the session may be in use there.
    if (slept) return clock.after(1_000, check)
    if (access.isOver()) return endOf(access)
    if (idle.isOver()) return leave({ is: "ended", ending: "idle" }, { is: "leftIdle" })
    if (idle.isNear() !== standing.idle) stand({ ...standing, idle: idle.isNear() })
    if (access.isDue()) run(endedIfRefused(access, access.renewed), () => {})
  }

  const used = () => {
    if (access === undefined) return
    tell({ is: "used" })
    check()
  }

  return {
    state: () => state,
    subscribe: (changed: () => void) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    begin,
    /**
     * Enters the session of a sign-in by Google. If the sign-in failed, resumes the previous session or, without one,
     * says why the sign-in failed.
     */
    beginWith: (session: Effect.Effect<ProviderAccess, unknown>, wordsOf: (problem: Problem) => string) =>
      awaitSession(session, signedIn, (problem) => begin(wordsOf(problem))),
    resume,
    signedIn,
    check,
    /** Called when the provider answers the message that the session ended. Shows the sign-in at the same address. */
    signInAgain: () => {
      if (state.standing.is === "ended") stand({ is: "signedOut", ending: state.standing.ending })
    },
    /** The provider answered the idle warning. */
    stay: () => {
      idle.note()
      used()
    },
    /**
     * A key or a touch. During the idle warning it does not count, because it may be meant for what the warning covers.
     */
    use: () => {
      if (state.standing.is === "signedIn" && state.standing.idle) return
      idle.note()
      if (idle.takeNews()) used()
    },
    online: () => state.standing.is === "unresumed" ? resume() : check(),
    /** Empties a page that is left: the browser may keep it in memory, and show it again after a sign-out. */
    hide: () => {
      if (access === undefined) return
      access = undefined
      stand({ is: "resuming" })
    },
    /** News from another window of the portal. */
    hear: (news: News) => {
      if (news.is === "used") {
        idle.note()
        return check()
      }
      if (news.is === "signedIn") {
        if (access === undefined) return resume()
        return access.provider.id === news.providerId ? undefined : endOf(access, "elsewhere")
      }
      const within = access !== undefined || state.standing.is === "resuming"
      // If nobody is signed in here, `giveUp` would stop an unfinished sign-out of this window, which must go on.
      if (within) giveUp()
      access = undefined
      if (news.is === "leftIdle") return within ? stand({ is: "ended", ending: "idle" }) : undefined
      drafts.forget()
      goTo({ screen: "patients" })
      stand({ is: "signedOut", ending: "elsewhere" })
    }
  }
}
