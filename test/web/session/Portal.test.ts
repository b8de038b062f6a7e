import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, test, vi } from "vitest"
import { Problem } from "../../../web/shared/Problem.ts"
import { minute, settle, unauthenticated, unreachable } from "./FakeService.ts"
import { openKeeper, openSignedIn, providerNamed } from "./PortalKeeper.ts"

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

describe("A page of the portal that is loaded", () => {
  test("shows the sign-in if the browser remembers no session", () => {
    const { keeper, standing } = openKeeper()
    keeper.begin()
    assert.deepStrictEqual(standing(), { is: "signedOut" })
  })

  test("keeps its address when a provider signs in, because it does not know who was signed in before", () => {
    const { calls, keeper } = openKeeper()
    keeper.begin()
    keeper.signedIn(providerNamed("ann"))
    assert.deepStrictEqual(calls, ["keep drafts for ann", "tell signedIn"])
  })

  test("finishes a sign-out that did not reach the service before the reload", async () => {
    const { calls, keeper, kept, standing } = openKeeper("ending")
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "signedOut" })
    assert.deepStrictEqual(calls, ["end undefined"])
    assert.isUndefined(kept.mark)
  })

  test("says why a sign-in by Google failed", async () => {
    const { keeper, standing } = openKeeper()
    keeper.beginWith(Effect.fail(Problem.make({ error: "google_cancelled" })), ({ error }) => `words for ${error}`)
    await settle()
    assert.deepStrictEqual(standing(), { is: "signedOut", refusal: "words for google_cancelled" })
  })

  test("keeps the session that was there before a sign-in by Google that failed", async () => {
    const { keeper, session } = openKeeper("kept")
    keeper.beginWith(Effect.fail(unauthenticated), ({ error }) => error)
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })
})

describe("A session of the portal", () => {
  test("whose sign-out is not confirmed is no longer ended once a provider signs in again", async () => {
    const { calls, keeper, kept, service, session } = await openSignedIn()
    service.ended = Effect.fail(unreachable)
    session().signOut()
    await settle()
    keeper.signedIn(providerNamed("ann"))
    calls.length = 0
    await vi.advanceTimersByTimeAsync(minute)
    assert.deepStrictEqual(calls, [])
    assert.isFalse(keeper.state().unfinished)
    assert.strictEqual(kept.mark, "kept")
  })

  test("that a refused call ended is signed in again at the same address", async () => {
    const { calls, keeper, service, session, standing } = await openSignedIn()
    service.answers = Effect.fail(unauthenticated)
    await Effect.runPromiseExit(session().call(() => Effect.void))
    keeper.signInAgain()
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "unknown" })
    assert.deepStrictEqual(calls, [])
  })

  test("ends when its 12 hours have passed, without a call", async () => {
    const { keeper, service, standing } = await openSignedIn()
    service.isOver = true
    keeper.check()
    assert.deepStrictEqual(standing(), { is: "ended", ending: "time" })
  })

  test("is removed from a page in the back/forward cache, and is resumed when the page is shown again", async () => {
    const { keeper, session, standing } = await openSignedIn()
    keeper.hide()
    assert.deepStrictEqual(standing(), { is: "resuming" })
    keeper.begin()
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })
})

describe("News from another window of the portal", () => {
  test("that the provider signed out ends the session here and forgets the drafts", async () => {
    const { calls, keeper, standing } = await openSignedIn()
    keeper.hear({ is: "signedOut" })
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "elsewhere" })
    assert.deepStrictEqual(calls, ["forget drafts", "go to patients"])
  })

  test("that the session was ended for lack of use ends it here too, and keeps the drafts", async () => {
    const { calls, keeper, standing } = await openSignedIn()
    keeper.hear({ is: "leftIdle" })
    assert.deepStrictEqual(standing(), { is: "ended", ending: "idle" })
    assert.deepStrictEqual(calls, [])
  })

  test("that the session was ended for lack of use changes nothing if nobody is signed in here", () => {
    const { keeper, standing } = openKeeper()
    keeper.begin()
    keeper.hear({ is: "leftIdle" })
    assert.deepStrictEqual(standing(), { is: "signedOut" })
  })

  test("that another provider signed in ends the session", async () => {
    const { keeper, standing } = await openSignedIn()
    keeper.hear({ is: "signedIn", providerId: "bob" })
    assert.deepStrictEqual(standing(), { is: "ended", ending: "elsewhere" })
  })

  test("stops a resumption that is under way", async () => {
    const { keeper, service, standing } = openKeeper("kept")
    service.renewed = Effect.delay(service.renewed, "1 second")
    keeper.begin()
    keeper.hear({ is: "signedOut" })
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "elsewhere" })
  })
})
