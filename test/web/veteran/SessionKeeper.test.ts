import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, test, vi } from "vitest"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { Problem } from "../../../web/shared/Problem.ts"
import type { SignIn } from "../../../web/veteran/connect/Connect.ts"
import type { Access } from "../../../web/veteran/session/Access.ts"
import { makeSessionKeeper } from "../../../web/veteran/session/SessionKeeper.ts"
import type { News } from "../../../web/veteran/session/SessionNews.ts"

const second = 1_000

const minute = 60 * second

const unauthenticated = Problem.make({ error: "unauthenticated" })

const unreachable = Problem.make({ error: "unreachable" })

const denied = Problem.make({ error: "va_denied" })

const answerFor = (id: string, sessionId = `session of ${id}`): AppAccess => ({
  accessToken: `token of ${id}`,
  tokenType: "Bearer",
  expiresIn: 900,
  veteran: { id: id as VeteranId, callSign: id },
  sessionId,
  sessionEndsAt: new Date(Date.now() + 720 * minute),
  previousSessionAt: null,
  confirmedUntil: null
})

/** Opens a keeper with a fake browser and a fake service. `calls` records what the keeper asked of them. */
const openKeeper = ({ sessionId, recent = true }: { sessionId?: string; recent?: boolean } = {}) => {
  const calls: Array<string> = []
  const browser = { isVisible: true, isRecent: recent, isAnySignedIn: false, covered: false, held: false }
  const service = {
    renewed: Effect.succeed(answerFor("ann")) as Effect.Effect<AppAccess, Problem>,
    ended: Effect.void as Effect.Effect<void, Problem>,
    answers: Effect.void as Effect.Effect<void, Problem>,
    isOver: false,
    isDue: false
  }
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
      tell: (news: News) => calls.push(`tell ${news.is}${news.is === "locked" ? ` ${news.ending}` : ""}`)
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
      makeAccess: ({ accessToken, previousSessionAt, sessionId, veteran }): Access => ({
        veteran,
        previousSessionAt,
        sessionId: () => sessionId,
        token: () => accessToken,
        call: () => Effect.suspend(() => service.answers) as Effect.Effect<never, Problem>,
        confirmedUntil: () => null,
        authorization: () => ({ api: "", authorization: accessToken }),
        isOver: () => service.isOver,
        isDue: () => service.isDue,
        renewed: Effect.suspend(() => Effect.as(service.answers, { authorization: accessToken, expiresAt: new Date() }))
      })
    }
  })
  const standing = () => keeper.state().standing
  /** The signed-in session; fails if there is none. */
  const session = () => {
    const now = standing()
    assert(now.is === "signedIn")
    return now.session
  }
  /** Lets time pass, and calls `check` every ten seconds, as the browser's timer does. */
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10 * second) {
      await vi.advanceTimersByTimeAsync(10 * second)
      keeper.check()
    }
    await settle()
  }
  const hide = () => {
    browser.isVisible = false
    keeper.hidden()
  }
  const show = () => {
    browser.isVisible = true
    keeper.shown()
  }
  return { browser, calls, device, hide, keeper, pass, service, session, show, standing }
}

/** A keeper in whose window the veteran Ann has signed in. */
const openSignedIn = async () => {
  const opened = openKeeper({ sessionId: "session of ann" })
  opened.keeper.begin()
  await settle()
  opened.browser.isRecent = false
  opened.calls.length = 0
  return opened
}

const settle = () => vi.advanceTimersByTimeAsync(0)

const returned = (signIn: SignIn): Effect.Effect<SignIn, Problem> => Effect.succeed(signIn)

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

describe("A page of the app that is loaded", () => {
  test("shows the first screen if nobody has signed in on the device", async () => {
    const { keeper, standing } = openKeeper()
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "unknown" })
  })

  test("goes on with the session after a reload", async () => {
    const { browser, keeper, session } = openKeeper({ sessionId: "session of ann" })
    keeper.begin()
    await settle()
    assert.strictEqual(session().callSign, "ann")
    assert.isTrue(browser.held)
  })

  test("is locked if it was closed or away for long, and the session ends here and on the service", async () => {
    const { browser, calls, device, keeper, standing } = openKeeper({ sessionId: "session of ann", recent: false })
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked", ending: "away" })
    assert.strictEqual(device.sessionId, "")
    assert.deepStrictEqual(calls, ["end session of ann by key"])
    assert.isFalse(browser.held)
  })

  test("goes on with the session that another window is using", async () => {
    const { browser, keeper, session } = openKeeper({ sessionId: "session of ann", recent: false })
    browser.isAnySignedIn = true
    keeper.begin()
    await settle()
    assert.strictEqual(session().callSign, "ann")
  })

  test("stays locked after a lock", async () => {
    const { keeper, standing } = openKeeper({ sessionId: "" })
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked" })
  })

  test("is locked if the service has ended the session", async () => {
    const { device, keeper, service, standing } = openKeeper({ sessionId: "session of ann" })
    service.renewed = Effect.fail(unauthenticated)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked", ending: "refused" })
    assert.strictEqual(device.sessionId, "")
  })

  test("waits for the service, and opens when the browser is online", async () => {
    const { keeper, service, session, standing } = openKeeper({ sessionId: "session of ann" })
    service.renewed = Effect.fail(unreachable)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "unreached", problem: unreachable })
    service.renewed = Effect.succeed(answerFor("ann"))
    keeper.online()
    await settle()
    assert.strictEqual(session().callSign, "ann")
  })

  test("locks while it waits for the service, if it is hidden for long", async () => {
    const { browser, device, hide, keeper, pass, service, standing } = openKeeper({ sessionId: "session of ann" })
    service.renewed = Effect.fail(unreachable)
    keeper.begin()
    await settle()
    hide()
    browser.isRecent = false
    await pass(5 * minute + 10 * second)
    assert.deepStrictEqual(standing(), { is: "locked", ending: "away" })
    assert.strictEqual(device.sessionId, "")
  })
})

describe("A return from the VA", () => {
  test("signs the veteran in, and tells the other windows", async () => {
    const { calls, keeper, session, standing } = openKeeper()
    keeper.begin(Effect.delay(returned({ is: "signedIn", access: answerFor("ann") }), "1 second"))
    assert.deepStrictEqual(standing(), { is: "starting", finishing: true })
    await vi.advanceTimersByTimeAsync(second)
    assert.strictEqual(session().callSign, "ann")
    assert.deepStrictEqual(calls, ["keep drafts for ann", "tell signedIn"])
  })

  test("asks for a code if the account is not paired, and then signs in", async () => {
    const { keeper, session, standing } = openKeeper()
    keeper.begin(returned({ is: "unpaired", pairingId: "a pairing" }))
    await settle()
    assert.deepStrictEqual(standing(), { is: "unpaired", pairingId: "a pairing" })
    keeper.signedIn(answerFor("ann"))
    assert.strictEqual(session().callSign, "ann")
  })

  test("forgets the VA's grant if the veteran gives up the code", async () => {
    const { calls, keeper, standing } = openKeeper()
    keeper.begin(returned({ is: "unpaired", pairingId: "a pairing" }))
    await settle()
    keeper.leave()
    await settle()
    assert.deepStrictEqual(standing(), { is: "unknown" })
    assert.deepStrictEqual(calls, ["forget health data", "forget the key"])
  })

  test("that was denied keeps nothing on a device that nobody has signed in on", async () => {
    const { calls, keeper, standing } = openKeeper()
    keeper.begin(Effect.fail(denied))
    await settle()
    assert.deepStrictEqual(standing(), { is: "unknown", refusal: denied })
    assert.deepStrictEqual(calls, ["forget the key"])
  })

  test("that was denied leaves a locked device locked", async () => {
    const { calls, keeper, standing } = openKeeper({ sessionId: "" })
    keeper.begin(Effect.fail(denied))
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked", refusal: denied })
    assert.deepStrictEqual(calls, [])
  })

  test("that was denied or planted ends no session: it goes on and says why", async () => {
    const { keeper, session, standing } = openKeeper({ sessionId: "session of ann" })
    keeper.begin(Effect.fail(denied))
    await settle()
    assert.strictEqual(session().callSign, "ann")
    assert.deepInclude(standing(), { refusal: denied })
  })
})

describe("A hidden window", () => {
  test("is covered at once, and uncovered when it is seen again", async () => {
    const { browser, hide, show, standing } = await openSignedIn()
    hide()
    assert.isTrue(browser.covered)
    show()
    assert.isFalse(browser.covered)
    assert.strictEqual(standing().is, "signedIn")
    assert.isFalse(browser.isRecent)
  })

  test("locks after 5 minutes, and the session ends", async () => {
    const { browser, calls, device, hide, pass, standing } = await openSignedIn()
    hide()
    await pass(5 * minute - 10 * second)
    assert.strictEqual(standing().is, "signedIn")
    await pass(10 * second)
    assert.deepStrictEqual(standing(), { is: "locked", ending: "away" })
    assert.deepStrictEqual(calls, ["forget health data", "tell locked away", "end session of ann by token of ann"])
    assert.strictEqual(device.sessionId, "")
    assert.isFalse(browser.held)
    assert.isTrue(browser.covered)
  })

  test("that the browser stopped stays covered until it has locked", async () => {
    const { browser, hide, show, standing } = await openSignedIn()
    hide()
    vi.setSystemTime(Date.now() + 60 * minute)
    show()
    assert.isTrue(browser.covered)
    await vi.advanceTimersByTimeAsync(second)
    assert.deepStrictEqual(standing(), { is: "locked", ending: "away" })
    assert.isFalse(browser.covered)
  })

  test("keeps the session while another window is seen, but empties itself after 5 minutes", async () => {
    const { calls, hide, keeper, pass, session, show, standing } = await openSignedIn()
    hide()
    for (let minutes = 0; minutes < 8; minutes++) {
      await pass(minute)
      keeper.hear({ is: "seen" })
    }
    assert.deepStrictEqual(standing(), { is: "starting", finishing: false })
    assert.deepStrictEqual(calls, ["forget health data"])
    show()
    await settle()
    assert.strictEqual(session().callSign, "ann")
  })

  test("that was seen a moment ago shows no warning meanwhile, and keeps a sign-in that is being finished", async () => {
    const { hide, keeper, session, show } = openKeeper()
    keeper.begin(Effect.delay(returned({ is: "signedIn", access: answerFor("ann") }), "2 seconds"))
    hide()
    await vi.advanceTimersByTimeAsync(second)
    show()
    await vi.advanceTimersByTimeAsync(second)
    assert.strictEqual(session().callSign, "ann")
  })

  test("that the back button may show again is empty, and goes on when it is shown soon", async () => {
    const { hide, keeper, session, show, standing } = await openSignedIn()
    hide()
    keeper.rest()
    assert.deepStrictEqual(standing(), { is: "starting", finishing: false })
    show()
    await settle()
    assert.strictEqual(session().callSign, "ann")
  })
})

describe("A session that nobody uses", () => {
  const isIdle = ({ keeper }: { readonly keeper: ReturnType<typeof openKeeper>["keeper"] }) => keeper.state().isIdle

  test("warns after 14 minutes and locks after 15", async () => {
    const opened = await openSignedIn()
    const { device, pass, standing } = opened
    await pass(14 * minute - 10 * second)
    assert.isFalse(isIdle(opened))
    await pass(10 * second)
    assert.isTrue(isIdle(opened))
    await pass(minute)
    assert.deepStrictEqual(standing(), { is: "locked", ending: "idle" })
    assert.strictEqual(device.sessionId, "")
  })

  test("goes on after the warning only if the veteran answers it", async () => {
    const opened = await openSignedIn()
    const { keeper, pass, standing } = opened
    await pass(14 * minute)
    keeper.use()
    assert.isTrue(isIdle(opened))
    keeper.stay()
    assert.isFalse(isIdle(opened))
    await pass(14 * minute - 10 * second)
    assert.strictEqual(standing().is, "signedIn")
  })

  test("counts use in other windows too", async () => {
    const opened = await openSignedIn()
    const { keeper, pass, standing } = opened
    await pass(10 * minute)
    keeper.hear({ is: "used" })
    await pass(13 * minute)
    assert.isFalse(isIdle(opened))
    assert.strictEqual(standing().is, "signedIn")
  })
})

describe("A session of the app", () => {
  test("locks when a call is refused, and the service is not asked to end what has ended", async () => {
    const { calls, device, service, session, standing } = await openSignedIn()
    service.answers = Effect.fail(unauthenticated)
    await Effect.runPromiseExit(session().call(() => Effect.void))
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked", ending: "refused" })
    assert.deepStrictEqual(calls, ["forget health data", "tell locked refused"])
    assert.strictEqual(device.sessionId, "")
  })

  test("says that its 12 hours have passed", async () => {
    const { service, session, standing } = await openSignedIn()
    ;[service.isOver, service.answers] = [true, Effect.fail(unauthenticated)]
    await Effect.runPromiseExit(session().renewed)
    assert.deepStrictEqual(standing(), { is: "locked", ending: "time" })
  })

  test("does not lock when a call fails without a refusal", async () => {
    const { service, session, standing } = await openSignedIn()
    service.answers = Effect.fail(unreachable)
    await Effect.runPromiseExit(session().call(() => Effect.void))
    assert.strictEqual(standing().is, "signedIn")
  })

  test("is renewed when its token is about to end, and locks if that is refused", async () => {
    const { keeper, service, standing } = await openSignedIn()
    ;[service.isDue, service.answers] = [true, Effect.fail(unauthenticated)]
    keeper.check()
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked", ending: "refused" })
  })

  test("is not locked by a late refusal of an older session", async () => {
    const { keeper, session, standing } = await openSignedIn()
    const older = session()
    keeper.signedIn(answerFor("ann"))
    older.lock()
    assert.strictEqual(standing().is, "signedIn")
  })

  test("begins at home if another veteran signs in", async () => {
    const { calls, keeper } = await openSignedIn()
    keeper.signedIn(answerFor("bob"))
    assert.deepStrictEqual(calls, ["go to home", "keep drafts for bob", "tell signedIn"])
  })

  test("ends by a sign-out, which is repeated until the service confirms it", async () => {
    const { calls, device, keeper, service, session, standing } = await openSignedIn()
    service.ended = Effect.fail(unreachable)
    session().signOut()
    assert.deepStrictEqual(standing(), { is: "locked", ending: "signedOut" })
    await settle()
    assert.deepStrictEqual(calls, ["go to home", "forget health data", "forget drafts", "tell locked signedOut",
      "end session of ann by token of ann"])
    assert.strictEqual(device.sessionId, "")
    assert.isTrue(keeper.state().unfinished)
    service.ended = Effect.void
    await vi.advanceTimersByTimeAsync(5 * second)
    assert.isFalse(keeper.state().unfinished)
  })

  test("ends when the device is forgotten", async () => {
    const { calls, device, keeper, standing } = await openSignedIn()
    keeper.forgetDevice()
    assert.deepStrictEqual(standing(), { is: "unknown" })
    await settle()
    assert.isUndefined(device.sessionId)
    assert.deepStrictEqual(calls, ["go to home", "forget health data", "forget drafts", "forget the device",
      "tell forgotten", "end session of ann by token of ann"])
  })
})

describe("News from another window of the app", () => {
  test("that the app locked locks this window too", async () => {
    const { calls, keeper, standing } = await openSignedIn()
    keeper.hear({ is: "locked", ending: "idle" })
    assert.deepStrictEqual(standing(), { is: "locked", ending: "idle" })
    assert.deepStrictEqual(calls, ["forget health data"])
  })

  test("that the veteran signed out forgets the drafts here too", async () => {
    const { calls, keeper } = await openSignedIn()
    keeper.hear({ is: "locked", ending: "signedOut" })
    assert.deepStrictEqual(calls, ["go to home", "forget health data", "forget drafts"])
  })

  test("that the app locked changes nothing where nobody is signed in", async () => {
    const { keeper, standing } = openKeeper()
    keeper.begin()
    await settle()
    keeper.hear({ is: "locked", ending: "idle" })
    assert.deepStrictEqual(standing(), { is: "unknown" })
  })

  test("that a veteran signed in opens a locked window", async () => {
    const { keeper, session } = openKeeper({ sessionId: "" })
    keeper.begin()
    await settle()
    keeper.hear({ is: "signedIn", veteranId: "ann" })
    await settle()
    assert.strictEqual(session().callSign, "ann")
  })

  test("that the same veteran signed in again changes nothing, and another veteran takes the window", async () => {
    const { keeper, service, session, standing } = await openSignedIn()
    const before = standing()
    keeper.hear({ is: "signedIn", veteranId: "ann" })
    assert.strictEqual(standing(), before)
    service.renewed = Effect.delay(Effect.succeed(answerFor("bob")), "1 second")
    keeper.hear({ is: "signedIn", veteranId: "bob" })
    assert.deepStrictEqual(standing(), { is: "starting", finishing: false })
    await vi.advanceTimersByTimeAsync(second)
    assert.strictEqual(session().callSign, "bob")
  })

  test("that the device was forgotten empties this window", async () => {
    const { keeper, standing } = await openSignedIn()
    keeper.hear({ is: "forgotten" })
    assert.deepStrictEqual(standing(), { is: "unknown" })
  })
})
