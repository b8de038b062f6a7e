import type { Effect } from "effect"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import type { Problem } from "../../shared/Problem.ts"
import { makeKeeper } from "../../shared/session/Keeper.ts"
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
  | { readonly is: "signedIn"; readonly session: Session }

/** What a keeper uses of the browser and of the service. */
export interface Surroundings {
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
export const makeSessionKeeper = ({ drafts, goTo, mark, service, tell }: Surroundings) => {
  const goHome = () => goTo({ screen: "patients" })

  const { access, become, drop, finished, guarded, idle, outside, refuse, stand, start, take } = makeKeeper<
    Standing,
    Access
  >({ is: "resuming" }, {
    idleLimits,
    isRefused,
    keepDraftsOf: drafts.keepFor,
    goHome,
    tellUse: () => tell({ is: "used" }),
    refused: (mine) => end(mine.isOver() ? "time" : "unknown"),
    judge: () => {
      const mine = access()
      if (mine === undefined) return
      if (mine.isOver()) end("time")
      else if (idle.isOver()) leave({ is: "ended", ending: "idle" }, { is: "leftIdle" })
    }
  })

  const enter = (answer: ProviderAccess) => {
    const mine = service.makeAccess(answer)
    take(mine, answer.provider.id)
    mark.write("kept")
    const session: Session = {
      provider: answer.provider,
      call: (use) => guarded(mine, mine.call(use)),
      authorization: mine.authorization,
      end: () => refuse(mine),
      signOut: () => {
        drafts.forget()
        goHome()
        leave({ is: "signedOut" }, { is: "signedOut" })
      }
    }
    become({ standing: { is: "signedIn", session }, unfinished: false })
  }

  /** A provider has just signed in, in this window. */
  const signedIn = (answer: ProviderAccess) => {
    enter(answer)
    tell({ is: "signedIn", providerId: answer.provider.id })
  }

  /** The service has ended the session. */
  const end = (ending: Ending) => {
    mark.write(undefined)
    drop({ is: "ended", ending })
  }

  /** Ends the session here immediately, and at the service as soon as the service can be reached. */
  const leave = (next: Standing, news: News) => {
    const token = access()?.latest().accessToken
    mark.write("ending")
    tell(news)
    drop(next)
    finish(token)
  }

  /**
   * Only the service can delete the cookie. Until it has, the mark keeps a reload from resuming the session, and the
   * provider sees that the sign-out is not finished.
   */
  const finish = (token: string | undefined) =>
    start(finished(service.ended(token)), () => mark.write(undefined), () => {})

  const awaitSession = (
    session: Effect.Effect<ProviderAccess, unknown>,
    then: (answer: ProviderAccess) => void,
    refused: (problem: Problem) => void
  ) => {
    stand({ is: "resuming" })
    start(session, then, refused)
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

  return {
    ...outside,
    begin,
    /**
     * Enters the session of a sign-in by Google. If the sign-in failed, resumes the previous session or, without one,
     * says why the sign-in failed.
     */
    beginWith: (session: Effect.Effect<ProviderAccess, unknown>, wordsOf: (problem: Problem) => string) =>
      awaitSession(session, signedIn, (problem) => begin(wordsOf(problem))),
    resume,
    signedIn,
    /** Called when the provider answers the message that the session ended. Shows the sign-in at the same address. */
    signInAgain: () => {
      const { standing } = outside.state()
      if (standing.is === "ended") stand({ is: "signedOut", ending: standing.ending })
    },
    online: () => outside.state().standing.is === "unresumed" ? resume() : outside.check(),
    /** Empties a page that is left: the browser may keep it in memory, and show it again after a sign-out. */
    hide: () => access() === undefined ? undefined : drop({ is: "resuming" }),
    /** News from another window of the portal. */
    hear: (news: News) => {
      if (news.is === "used") {
        idle.note()
        return outside.check()
      }
      if (news.is === "signedIn") {
        const mine = access()
        if (mine === undefined) return resume()
        return mine.latest().provider.id === news.providerId ? undefined : end("elsewhere")
      }
      const within = access() !== undefined || outside.state().standing.is === "resuming"
      if (news.is === "leftIdle") return within ? drop({ is: "ended", ending: "idle" }) : undefined
      drafts.forget()
      goHome()
      const standing = { is: "signedOut", ending: "elsewhere" } as const
      // If nobody is signed in here, `drop` would stop an unfinished sign-out of this window, which must go on.
      if (within) drop(standing)
      else stand(standing)
    }
  }
}
