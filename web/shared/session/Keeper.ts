import { Effect, Schedule } from "effect"
import { run } from "../Call.ts"
import type { Problem } from "../Problem.ts"
import { type IdleLimits, makeIdle } from "./Idle.ts"

/** What a window shows. Each product has its own standings: a signed-in session, or why there is none. */
interface SessionState<Standing> {
  readonly standing: Standing
  /** True while the warning is shown that the session is about to end. */
  readonly isIdle: boolean
  /** True if the service has not heard yet that a session ended. */
  readonly unfinished: boolean
}

interface RenewableAccess {
  readonly isDue: () => boolean
  readonly renewed: Effect.Effect<unknown, Problem>
}

/** Where the keepers of two products differ. */
interface Product<Access> {
  readonly idleLimits: IdleLimits
  readonly isRefused: (problem: Problem) => boolean
  readonly keepDraftsOf: (personId: string) => void
  readonly goHome: () => void
  /** Tells the product's other windows of a key or a touch. */
  readonly tellUse: () => void
  /** The service refuses the session that is in use. */
  readonly refused: (access: Access) => void
  /** Ends a session that may not go on. */
  readonly judge: () => void
}

/** The part of the state machine of a window's session that the portal and the veteran's app share. */
export const makeKeeper = <Standing, Access extends RenewableAccess>(
  first: Standing,
  { goHome, idleLimits, isRefused, judge, keepDraftsOf, refused, tellUse }: Product<Access>
) => {
  const idle = makeIdle(idleLimits)
  const listeners = new Set<() => void>()
  let state: SessionState<Standing> = { standing: first, isIdle: false, unfinished: false }
  let access: Access | undefined
  let lastPerson: string | undefined
  let checkedAt = Date.now()
  /** Stops what `start` waits for. */
  let giveUp = () => {}
  let starts = 0

  const become = (changes: Partial<SessionState<Standing>>) => {
    state = { ...state, ...changes }
    listeners.forEach((changed) => changed())
  }

  const stand = (standing: Standing) => become({ standing, isIdle: false })

  /** Waits for an effect that leads to a session, or away from one. A later one stops it. */
  const start = <A>(
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

  /** Takes the access of a session. Somebody who signs in after another must not land on the other's page. */
  const take = (mine: Access, personId: string) => {
    giveUp()
    access = mine
    if (lastPerson !== undefined && lastPerson !== personId) goHome()
    lastPerson = personId
    keepDraftsOf(personId)
    idle.note()
  }

  /** Empties the window. */
  const drop = (standing: Standing) => {
    giveUp()
    access = undefined
    stand(standing)
  }

  /** The service refuses a session. A late refusal of an older session changes nothing. */
  const refuse = (mine: Access) => {
    if (access === mine) refused(mine)
  }

  const guarded = <A>(mine: Access, call: Effect.Effect<A, Problem>) =>
    Effect.tapError(call, (problem) => Effect.sync(() => isRefused(problem) ? refuse(mine) : undefined))

  /** Tells the service that a session has ended, again and again until it answers. */
  const finished = (ended: Effect.Effect<void, Problem>) =>
    ended.pipe(
      Effect.catchIf(isRefused, () => Effect.void),
      Effect.tapError(() => Effect.sync(() => become({ unfinished: true }))),
      Effect.retry(Schedule.spaced("5 seconds")),
      Effect.andThen(Effect.sync(() => become({ unfinished: false })))
    )

  /** Called every ten seconds, and whenever the window is seen again. */
  const check = () => {
    const slept = Date.now() - checkedAt > 90_000
    checkedAt = Date.now()
    // After the computer slept, messages from other windows must arrive first: the session may be in use there.
    if (slept) return void setTimeout(check, 1_000)
    judge()
    if (access === undefined) return
    if (idle.isNear() !== state.isIdle) become({ isIdle: idle.isNear() })
    if (access.isDue()) run(guarded(access, access.renewed), () => {})
  }

  const used = () => {
    if (access === undefined) return
    tellUse()
    check()
  }

  return {
    access: () => access,
    become,
    drop,
    finished,
    guarded,
    idle,
    refuse,
    stand,
    start,
    take,
    /** What the page and the browser's events use. */
    outside: {
      state: () => state,
      subscribe: (changed: () => void) => {
        listeners.add(changed)
        return () => void listeners.delete(changed)
      },
      check,
      /** The warning was answered. */
      stay: () => {
        idle.note()
        used()
      },
      /** A key or a touch. During the warning it does not count: it may be meant for what the warning covers. */
      use: () => {
        if (state.isIdle) return
        idle.note()
        if (idle.takeNews()) used()
      }
    }
  }
}
