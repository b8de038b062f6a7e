import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, test, vi } from "vitest"
import { Problem } from "../../../web/shared/Problem.ts"
import type { SignIn } from "../../../web/veteran/connect/Connect.ts"
import { openKeeper, openSignedIn, veteranNamed } from "./AppKeeper.ts"
import { minute, settle, unreachable } from "./FakeService.ts"

const second = 1_000

const denied = Problem.make({ error: "va_denied" })

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
    assert.isTrue(browser.held)
  })

  test("stays locked after a lock", async () => {
    const { keeper, standing } = openKeeper({ sessionId: "" })
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "locked" })
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
    keeper.begin(Effect.delay(returned({ is: "signedIn", access: veteranNamed("ann") }), "1 second"))
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
    keeper.signedIn(veteranNamed("ann"))
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
    keeper.begin(Effect.delay(returned({ is: "signedIn", access: veteranNamed("ann") }), "2 seconds"))
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

describe("A session of the app", () => {
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

  test("that another veteran signed in gives that veteran this window", async () => {
    const { keeper, service, session, standing } = await openSignedIn()
    service.renewed = Effect.delay(Effect.succeed(veteranNamed("bob")), "1 second")
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
