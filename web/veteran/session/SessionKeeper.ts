import { Effect } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { makeIdle } from "../../shared/session/Idle.ts"
import { makeKeeper } from "../../shared/session/Keeper.ts"
import type { SignIn } from "../connect/Connect.ts"
import { type Access, isRefused } from "./Access.ts"
import { awayLimit } from "./Away.ts"
import type { Ending } from "./Ending.ts"
import type { Session } from "./Session.ts"
import type { News } from "./SessionNews.ts"
import type { Standing } from "./Standing.ts"
import type { Surroundings } from "./Surroundings.ts"

/** A phone that is left open locks after 15 minutes, and warns a minute before (WCAG 2.2.1). */
const idleLimits = { limit: 15 * 60_000, warnedBefore: 60_000 }

/** The window is empty although the session goes on. */
const rested: Standing = { is: "starting", finishing: false }

export type SessionKeeper = ReturnType<typeof makeSessionKeeper>

/** The state machine of a window's session. The browser's events are its inputs (OpenSession.ts). */
export const makeSessionKeeper = (
  { away, cover, device, drafts, forgetHealth, goTo, isVisible, service, windows }: Surroundings
) => {
  const unseen = makeIdle({ limit: awayLimit, warnedBefore: 0 })
  let hiddenAt = Infinity

  const goHome = () => goTo({ screen: "home" })

  const { access, drop, finished, guarded, idle, outside, refuse, stand, start, take } = makeKeeper<Standing, Access>(
    { is: "starting", finishing: false },
    {
      idleLimits,
      isRefused,
      keepDraftsOf: drafts.keepFor,
      goHome,
      tellUse: () => windows.tell({ is: "used" }),
      refused: (mine) => lock(mine.isOver() ? "time" : "refused"),
      judge: () => {
        if (outside.state().standing.is === "unreached" && (unseen.isOver() || idle.isOver())) come()
        if (access() !== undefined) {
          if (unseen.isOver()) lock("away")
          else if (idle.isOver()) lock("idle")
          else if (!isVisible() && Date.now() - hiddenAt >= awayLimit) rest()
        }
        if (!isVisible()) return
        unseen.note()
        if (unseen.takeNews() && access() !== undefined) windows.tell({ is: "seen" })
        cover(false)
      }
    }
  )
  outside.subscribe(() => windows.hold(outside.state().standing.is === "signedIn"))

  const enter = (answer: AppAccess, refusal?: Problem, isNew = false) => {
    const mine = service.makeAccess(answer)
    const { previousSessionAt, veteran: { callSign, id } } = answer
    take(mine, id)
    unseen.note()
    const session: Session = {
      veteranId: id,
      callSign,
      previousSessionAt,
      call: (use) => guarded(mine, mine.call(use)),
      authorization: mine.authorization,
      confirmedUntil: () => mine.latest().confirmedUntil,
      isFirst: isNew && previousSessionAt === null,
      renewed: guarded(mine, mine.renewed).pipe(Effect.map(() => ({
        authorization: mine.authorization().authorization,
        expiresAt: new Date(mine.expiresAt())
      }))),
      lock: () => refuse(mine),
      signOut: () => {
        goHome()
        lock("signedOut")
      }
    }
    stand({ is: "signedIn", session, ...(refusal === undefined ? {} : { refusal }) })
  }

  /** A veteran has just signed in, in this window. */
  const signedIn = (answer: AppAccess) => {
    enter(answer, undefined, true)
    windows.tell({ is: "signedIn", veteranId: answer.veteran.id })
  }

  /** Empties the window: token, grant and record leave the memory. */
  const empty = (standing: Standing) => {
    forgetHealth()
    if (standing.is === "unknown" || (standing.is === "locked" && standing.ending === "signedOut")) drafts.forget()
    drop(standing)
  }

  /**
   * Locks all windows. The session ends, here at once and on the service as soon as it can be reached. Nothing that
   * stays on the device can then open the app, not even after a reload: only a new sign-in can.
   */
  const lock = (ending: Ending) => {
    const ended = access()?.latest()
    empty({ is: "locked", ending })
    windows.tell({ is: "locked", ending })
    if (ended === undefined) return
    run(device.forgetSession(ended.sessionId), () => {})
    if (ending !== "refused" && ending !== "time") finish(ended.sessionId, ended.accessToken)
  }

  const finish = (sessionId: string, token?: string) => void run(finished(service.ended(sessionId, token)), () => {})

  const resume = (refusal?: Problem) => {
    if (outside.state().standing.is !== "starting") stand({ is: "starting", finishing: false })
    start(service.renewed, (answer) => enter(answer, refusal), (problem) => {
      if (!isRefused(problem)) return stand({ is: "unreached", problem })
      run(Effect.flatMap(device.sessionId, (id = "") => device.forgetSession(id)), () => {})
      empty({ is: "locked", ending: "refused" })
    })
  }

  /** Without a fresh sign-in: goes on with the session that the device keeps, if it was in use just now. */
  const come = (refusal?: Problem, wasTried = refusal !== undefined) => {
    const isRecent = away.take()
    const reason = refusal === undefined ? {} : { refusal }
    const known = Effect.all({ id: device.sessionId, isInUse: windows.isAnySignedIn })
    start(known, ({ id, isInUse }) => {
      if (id === undefined) {
        // A new key whose sign-in did not end well is not kept.
        if (wasTried) run(device.forgetKey, () => {})
        return stand({ is: "unknown", ...reason })
      }
      if (id === "") return stand({ is: "locked", ...reason })
      if (isRecent || isInUse) return resume(refusal)
      run(device.forgetSession(id), () => {})
      stand({ is: "locked", ending: "away", ...reason })
      finish(id)
    }, () => stand({ is: "unknown", ...reason }))
  }

  /** The page has been loaded. `returned` finishes a sign-in at the VA. */
  const begin = (returned?: Effect.Effect<SignIn, Problem>) => {
    stand({ is: "starting", finishing: returned !== undefined })
    if (returned === undefined) return come()
    start(returned, (signIn) => {
      away.take()
      if (signIn.is === "signedIn") return signedIn(signIn.access)
      stand({ is: "unpaired", pairingId: signIn.pairingId })
    }, come)
  }

  /** Empties a window that is left or hidden, while the session goes on elsewhere. */
  const rest = () => access() === undefined ? undefined : empty(rested)

  return {
    ...outside,
    begin,
    resume: () => resume(),
    signedIn,
    /** The veteran gives up the question of whose record it is. */
    leave: () => {
      forgetHealth()
      come(undefined, true)
    },
    /** The window was hidden: it is covered at once. */
    hidden: () => {
      hiddenAt = Date.now()
      cover(true)
      away.remember()
    },
    /** The window is seen again. It stays covered until the time away is judged. */
    shown: () => {
      outside.check()
      hiddenAt = Infinity
      if (outside.state().standing === rested) begin()
      else away.take()
    },
    rest,
    online: () => {
      outside.check()
      if (outside.state().standing.is === "unreached") resume()
    },
    /** Ends the session, and removes all that this app keeps on the device. */
    forgetDevice: () => {
      const ended = access()?.latest()
      goHome()
      empty({ is: "unknown" })
      run(device.forget, () => windows.tell({ is: "forgotten" }))
      if (ended !== undefined) finish(ended.sessionId, ended.accessToken)
    },
    /** News from another window of the app. */
    hear: (news: News) => {
      const { standing } = outside.state()
      switch (news.is) {
        case "used":
          idle.note()
          unseen.note()
          return outside.check()
        case "seen":
          return unseen.note()
        case "signedIn":
          // A window of the same veteran goes on, and takes the newer session at its next renewal.
          if (access()?.latest().veteran.id === news.veteranId) return
          empty({ is: "starting", finishing: false })
          return resume()
        case "locked":
          if (access() === undefined && standing.is !== "starting" && standing.is !== "unreached") return
          if (news.ending === "signedOut") goHome()
          return empty({ is: "locked", ending: news.ending })
        case "forgotten":
          goHome()
          return empty({ is: "unknown" })
      }
    }
  }
}
