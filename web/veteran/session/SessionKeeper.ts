import { Effect, Schedule } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { makeIdle } from "../../shared/session/Idle.ts"
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

interface State {
  readonly standing: Standing
  /** True if the service has not heard yet that a session ended. */
  readonly unfinished: boolean
}

export type SessionKeeper = ReturnType<typeof makeSessionKeeper>

/** The state machine of a window's session. The browser's events are its inputs (OpenSession.ts). */
export const makeSessionKeeper = (
  { away, clock, cover, device, drafts, forgetHealth, goTo, isVisible, service, windows }: Surroundings
) => {
  const idle = makeIdle(clock.now, idleLimits)
  const unseen = makeIdle(clock.now, { limit: awayLimit, warnedBefore: 0 })
  const listeners = new Set<() => void>()
  let state: State = { standing: { is: "starting", finishing: false }, unfinished: false }
  let access: Access | undefined
  let lastVeteran: string | undefined
  let [checkedAt, hiddenAt] = [clock.now(), Infinity]
  /** True while the window is empty although the session goes on. */
  let resting = false
  /** Stops the start that is under way. */
  let giveUp = () => {}
  let starts = 0

  const become = (changes: Partial<State>) => {
    state = { ...state, ...changes }
    listeners.forEach((changed) => changed())
  }

  const stand = (standing: Standing) => {
    resting = false
    windows.hold(standing.is === "signedIn")
    become({ standing })
  }

  const enter = (answer: AppAccess, refusal?: Problem, isNew = false) => {
    giveUp()
    const mine = service.makeAccess(answer)
    access = mine
    const { callSign, id } = mine.veteran
    // A veteran who signs in after another must not land on the other's page.
    if (lastVeteran !== undefined && lastVeteran !== id) goTo({ screen: "home" })
    lastVeteran = id
    drafts.keepFor(id)
    idle.note()
    unseen.note()
    const session: Session = {
      veteranId: id,
      callSign,
      previousSessionAt: mine.previousSessionAt,
      call: (use) => lockedIfRefused(mine, mine.call(use)),
      authorization: mine.authorization,
      confirmedUntil: mine.confirmedUntil,
      isFirst: isNew && mine.previousSessionAt === null,
      renewed: lockedIfRefused(mine, mine.renewed),
      lock: () => refusedHere(mine),
      signOut: () => {
        goTo({ screen: "home" })
        lock("signedOut")
      }
    }
    stand({ is: "signedIn", idle: false, session, ...(refusal === undefined ? {} : { refusal }) })
  }

  /** A veteran has just signed in, in this window. */
  const signedIn = (answer: AppAccess) => {
    enter(answer, undefined, true)
    windows.tell({ is: "signedIn", veteranId: answer.veteran.id })
  }

  /** The service refuses the session. A late refusal of an older session changes nothing. */
  const refusedHere = (mine: Access) => {
    if (access === mine) lock(mine.isOver() ? "time" : "refused")
  }

  const lockedIfRefused = <A>(mine: Access, call: Effect.Effect<A, Problem>) =>
    Effect.tapError(call, (problem) => Effect.sync(() => isRefused(problem) ? refusedHere(mine) : undefined))

  /** Empties the window: token, grant and record leave the memory. */
  const empty = (standing: Standing) => {
    giveUp()
    access = undefined
    forgetHealth()
    if (standing.is === "unknown" || (standing.is === "locked" && standing.ending === "signedOut")) drafts.forget()
    stand(standing)
  }

  /**
   * Locks all windows. The session ends, here at once and on the service as soon as it can be reached. Nothing that
   * stays on the device can then open the app, not even after a reload: only a new sign-in can.
   */
  const lock = (ending: Ending) => {
    const mine = access
    empty({ is: "locked", ending })
    windows.tell({ is: "locked", ending })
    if (mine === undefined) return
    run(device.forgetSession(mine.sessionId()), () => {})
    if (ending !== "refused" && ending !== "time") finish(service.ended(mine.sessionId(), mine.token()))
  }

  /** Tells the service that a session has ended, again and again while this page is open. */
  const finish = (ended: Effect.Effect<void, Problem>) =>
    void run(
      ended.pipe(
        Effect.catchIf(isRefused, () => Effect.void),
        Effect.tapError(() => Effect.sync(() => become({ unfinished: true }))),
        Effect.retry(Schedule.spaced("5 seconds"))
      ),
      () => become({ unfinished: false })
    )

  /** Waits for an effect of the start. A later one, and any lock, stops it. */
  const awaitStart = <A>(
    effect: Effect.Effect<A, unknown>,
    then: (value: A) => void,
    failed: (problem: Problem) => void
  ) => {
    giveUp()
    const mine = ++starts
    const stop = run(effect, (outcome) => outcome.is === "done" ? then(outcome.value) : failed(outcome.problem))
    // An effect that did not have to wait may have begun the next one.
    if (mine === starts) giveUp = stop
  }

  const resume = (refusal?: Problem) => {
    if (state.standing.is !== "starting") stand({ is: "starting", finishing: false })
    awaitStart(service.renewed, (answer) => enter(answer, refusal), (problem) => {
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
    awaitStart(known, ({ id, isInUse }) => {
      if (id === undefined) {
        // A new key whose sign-in did not end well is not kept.
        if (wasTried) run(device.forgetKey, () => {})
        return stand({ is: "unknown", ...reason })
      }
      if (id === "") return stand({ is: "locked", ...reason })
      if (isRecent || isInUse) return resume(refusal)
      run(device.forgetSession(id), () => {})
      stand({ is: "locked", ending: "away", ...reason })
      finish(service.ended(id))
    }, () => stand({ is: "unknown", ...reason }))
  }

  /** The page has been loaded. `returned` finishes a sign-in at the VA. */
  const begin = (returned?: Effect.Effect<SignIn, Problem>) => {
    stand({ is: "starting", finishing: returned !== undefined })
    if (returned === undefined) return come()
    awaitStart(returned, (signIn) => {
      away.take()
      if (signIn.is === "signedIn") return signedIn(signIn.access)
      stand({ is: "unpaired", pairingId: signIn.pairingId })
    }, come)
  }

  /** Called every ten seconds, and whenever the window is hidden or seen again. */
  const check = () => {
    const now = clock.now()
    const slept = now - checkedAt > 90_000
    checkedAt = now
    // After the device slept, messages from other windows must arrive first: the session may be in use there.
    if (slept) return clock.after(1_000, check)
    if (state.standing.is === "unreached" && (unseen.isOver() || idle.isOver())) come()
    if (access !== undefined) {
      if (unseen.isOver()) lock("away")
      else if (idle.isOver()) lock("idle")
      else if (!isVisible() && now - hiddenAt >= awayLimit) rest()
      else if (access.isDue()) run(lockedIfRefused(access, access.renewed), () => {})
    }
    if (!isVisible()) return
    unseen.note()
    if (unseen.takeNews() && access !== undefined) windows.tell({ is: "seen" })
    if (state.standing.is === "signedIn" && idle.isNear() !== state.standing.idle) {
      stand({ ...state.standing, idle: idle.isNear() })
    }
    cover(false)
  }

  /** Empties a window that is left or hidden, while the session goes on elsewhere. */
  const rest = () => {
    if (access === undefined) return
    empty({ is: "starting", finishing: false })
    resting = true
  }

  const used = () => {
    if (access === undefined) return
    windows.tell({ is: "used" })
    check()
  }

  return {
    state: () => state,
    subscribe: (changed: () => void) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    begin,
    resume: () => resume(),
    signedIn,
    check,
    /** The veteran gives up the question of whose record it is. */
    leave: () => {
      forgetHealth()
      come(undefined, true)
    },
    /** The window was hidden: it is covered at once. */
    hidden: () => {
      hiddenAt = clock.now()
      cover(true)
      away.remember()
    },
    /** The window is seen again. It stays covered until the time away is judged. */
    shown: () => {
      check()
      hiddenAt = Infinity
      if (resting) begin()
      else away.take()
    },
    rest,
    /** The veteran answered the warning. */
    stay: () => {
      idle.note()
      used()
    },
    /** A key or a touch. During the warning it does not count, because it may be meant for what the warning covers. */
    use: () => {
      if (state.standing.is === "signedIn" && state.standing.idle) return
      idle.note()
      if (idle.takeNews()) used()
    },
    online: () => {
      check()
      if (state.standing.is === "unreached") resume()
    },
    /** Ends the session, and removes all that this app keeps on the device. */
    forgetDevice: () => {
      const mine = access
      goTo({ screen: "home" })
      empty({ is: "unknown" })
      lastVeteran = undefined
      run(device.forget, () => windows.tell({ is: "forgotten" }))
      if (mine !== undefined) finish(service.ended(mine.sessionId(), mine.token()))
    },
    /** News from another window of the app. */
    hear: (news: News) => {
      switch (news.is) {
        case "used":
          idle.note()
          unseen.note()
          return check()
        case "seen":
          return unseen.note()
        case "signedIn":
          // A window of the same veteran goes on, and takes the newer session at its next renewal.
          if (access?.veteran.id === news.veteranId) return
          empty({ is: "starting", finishing: false })
          return resume()
        case "locked":
          if (access === undefined && state.standing.is !== "starting" && state.standing.is !== "unreached") return
          if (news.ending === "signedOut") goTo({ screen: "home" })
          return empty({ is: "locked", ending: news.ending })
        case "forgotten":
          goTo({ screen: "home" })
          return empty({ is: "unknown" })
      }
    }
  }
}
