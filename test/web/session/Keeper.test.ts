import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, test, vi } from "vitest"
import type { Problem } from "../../../web/shared/Problem.ts"
import * as App from "./AppKeeper.ts"
import { minute, settle, unauthenticated, unreachable } from "./FakeService.ts"
import * as Portal from "./PortalKeeper.ts"

const ofPortal = (opened: ReturnType<typeof Portal.openKeeper>) => ({
  ...opened,
  standing: (): { readonly is: string } => opened.standing(),
  person: () => opened.session().provider.id,
  signIn: (id: string) => opened.keeper.signedIn(Portal.providerNamed(id)),
  hearSignedIn: (providerId: string) => opened.keeper.hear({ is: "signedIn", providerId }),
  /** Refuses the session that is now open, as a request outside `call` does. */
  refusal: () => opened.session().end,
  call: () => Effect.runPromiseExit(opened.session().call(() => Effect.void)),
  remembered: () => opened.kept.mark
})

const ofApp = (opened: ReturnType<typeof App.openKeeper>) => ({
  ...opened,
  standing: (): { readonly is: string } => opened.standing(),
  person: () => opened.session().veteranId,
  signIn: (id: string) => opened.keeper.signedIn(App.veteranNamed(id)),
  hearSignedIn: (veteranId: string) => opened.keeper.hear({ is: "signedIn", veteranId }),
  refusal: () => opened.session().lock,
  call: () => Effect.runPromiseExit(opened.session().call(() => Effect.void)),
  remembered: () => opened.device.sessionId
})

const products = [
  {
    name: "the portal",
    /** A window that is loaded while the browser remembers a session. */
    openKept: () => ofPortal(Portal.openKeeper("kept")),
    openSignedIn: async () => ofPortal(await Portal.openSignedIn()),
    openSignedOut: () => ofPortal(Portal.openKeeper()),
    waiting: { is: "resuming" },
    unreached: { is: "unresumed", problem: unreachable },
    kept: "kept",
    forgotten: undefined,
    refusedAtLoad: { is: "signedOut", ending: "unknown" },
    refused: { is: "ended", ending: "unknown" },
    refusedCalls: [],
    late: { is: "ended", ending: "time" },
    idle: { is: "ended", ending: "idle" },
    idleCalls: ["tell leftIdle", "end token of ann"],
    signedOut: { is: "signedOut" },
    signOutCalls: ["forget drafts", "go to patients", "tell signedOut", "end token of ann"],
    unfinished: "ending",
    home: "patients",
    warnedAfter: 28 * minute,
    endsAfter: 30 * minute
  },
  {
    name: "the veteran's app",
    openKept: () => ofApp(App.openKeeper({ sessionId: "session of ann" })),
    openSignedIn: async () => ofApp(await App.openSignedIn()),
    openSignedOut: () => ofApp(App.openKeeper({ sessionId: "" })),
    waiting: { is: "starting", finishing: false },
    unreached: { is: "unreached", problem: unreachable },
    kept: "session of ann",
    forgotten: "",
    refusedAtLoad: { is: "locked", ending: "refused" },
    refused: { is: "locked", ending: "refused" },
    refusedCalls: ["forget health data", "tell locked refused"],
    late: { is: "locked", ending: "time" },
    idle: { is: "locked", ending: "idle" },
    idleCalls: ["forget health data", "tell locked idle", "end session of ann by token of ann"],
    signedOut: { is: "locked", ending: "signedOut" },
    signOutCalls: ["go to home", "forget health data", "forget drafts", "tell locked signedOut",
      "end session of ann by token of ann"],
    unfinished: "",
    home: "home",
    warnedAfter: 14 * minute,
    endsAfter: 15 * minute
  }
]

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

describe.each(products)("A session of $name", (product) => {
  test("is resumed when the page is loaded", async () => {
    const { keeper, person, service, standing } = product.openKept()
    const renewed: Effect.Effect<unknown, Problem> = service.renewed
    Object.assign(service, { renewed: Effect.delay(renewed, "1 second") })
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), product.waiting)
    await vi.advanceTimersByTimeAsync(1_000)
    assert.strictEqual(person(), "ann")
  })

  test("that the service has ended is forgotten when the page is loaded", async () => {
    const { keeper, remembered, service, standing } = product.openKept()
    service.renewed = Effect.fail(unauthenticated)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), product.refusedAtLoad)
    assert.strictEqual(remembered(), product.forgotten)
  })

  test("is kept if the service cannot be reached, and resumed when the browser is online", async () => {
    const { keeper, person, remembered, service, standing } = product.openKept()
    const { renewed } = service
    service.renewed = Effect.fail(unreachable)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), product.unreached)
    assert.strictEqual(remembered(), product.kept)
    Object.assign(service, { renewed })
    keeper.online()
    await settle()
    assert.strictEqual(person(), "ann")
  })

  test("ends by a sign-out immediately, which is repeated until the service confirms it", async () => {
    const { calls, keeper, remembered, service, session, standing } = await product.openSignedIn()
    service.ended = Effect.fail(unreachable)
    session().signOut()
    assert.deepStrictEqual(standing(), product.signedOut)
    await settle()
    assert.deepStrictEqual(calls, product.signOutCalls)
    assert.isTrue(keeper.state().unfinished)
    assert.strictEqual(remembered(), product.unfinished)
    service.ended = Effect.void
    await vi.advanceTimersByTimeAsync(5_000)
    assert.isFalse(keeper.state().unfinished)
    assert.strictEqual(remembered(), product.forgotten)
  })

  test("counts as ended if the service answers a sign-out that it no longer knows the session", async () => {
    const { keeper, service, session } = await product.openSignedIn()
    service.ended = Effect.fail(unauthenticated)
    session().signOut()
    await settle()
    assert.isFalse(keeper.state().unfinished)
  })

  test("ends when a call is refused, and the service is not asked to end what has ended", async () => {
    const { call, calls, remembered, service, standing } = await product.openSignedIn()
    service.answers = Effect.fail(unauthenticated)
    await call()
    await settle()
    assert.deepStrictEqual(standing(), product.refused)
    assert.deepStrictEqual(calls, product.refusedCalls)
    assert.strictEqual(remembered(), product.forgotten)
  })

  test("ends when its renewal is refused", async () => {
    const { keeper, service, standing } = await product.openSignedIn()
    ;[service.isDue, service.answers] = [true, Effect.fail(unauthenticated)]
    keeper.check()
    await settle()
    assert.deepStrictEqual(standing(), product.refused)
  })

  test("says that its 12 hours have passed", async () => {
    const { call, service, standing } = await product.openSignedIn()
    ;[service.isOver, service.answers] = [true, Effect.fail(unauthenticated)]
    await call()
    assert.deepStrictEqual(standing(), product.late)
  })

  test("does not end when a call fails without a refusal", async () => {
    const { call, service, standing } = await product.openSignedIn()
    service.answers = Effect.fail(unreachable)
    await call()
    assert.strictEqual(standing().is, "signedIn")
  })

  test("is not ended by a late refusal of an older session", async () => {
    const { refusal, signIn, standing } = await product.openSignedIn()
    const refuseOlder = refusal()
    signIn("ann")
    refuseOlder()
    assert.strictEqual(standing().is, "signedIn")
  })

  test("begins at the first screen if another person signs in", async () => {
    const { calls, signIn } = await product.openSignedIn()
    signIn("bob")
    assert.deepStrictEqual(calls, [`go to ${product.home}`, "keep drafts for bob", "tell signedIn"])
  })

  test("is opened by the news that somebody signed in in another window", async () => {
    const { hearSignedIn, keeper, person } = product.openSignedOut()
    keeper.begin()
    await settle()
    hearSignedIn("ann")
    await settle()
    assert.strictEqual(person(), "ann")
  })

  test("is not changed by the news that the same person signed in in another window", async () => {
    const { hearSignedIn, standing } = await product.openSignedIn()
    const before = standing()
    hearSignedIn("ann")
    assert.strictEqual(standing(), before)
  })
})

describe.each(products)("A session of $name that nobody uses", (product) => {
  const { endsAfter, warnedAfter } = product

  test("is warned, and then ends", async () => {
    const { calls, keeper, pass, remembered, standing } = await product.openSignedIn()
    await pass(warnedAfter - 10_000)
    assert.isFalse(keeper.state().isIdle)
    await pass(10_000)
    assert.isTrue(keeper.state().isIdle)
    await pass(endsAfter - warnedAfter - 10_000)
    assert.strictEqual(standing().is, "signedIn")
    await pass(10_000)
    assert.deepStrictEqual(standing(), product.idle)
    assert.isFalse(keeper.state().isIdle)
    assert.deepStrictEqual(calls.filter((called) => called !== "tell seen"), product.idleCalls)
    assert.strictEqual(remembered(), product.forgotten)
  })

  test("continues after the warning only if it is answered: other key presses do not count", async () => {
    const { keeper, pass, standing } = await product.openSignedIn()
    await pass(warnedAfter)
    keeper.use()
    assert.isTrue(keeper.state().isIdle)
    keeper.stay()
    assert.isFalse(keeper.state().isIdle)
    await pass(warnedAfter - 10_000)
    assert.isFalse(keeper.state().isIdle)
    await pass(endsAfter - warnedAfter + 10_000)
    assert.deepStrictEqual(standing(), product.idle)
  })

  test("counts use in this window and in others, and tells the others of use at most every 20 seconds", async () => {
    const { calls, keeper, pass } = await product.openSignedIn()
    await pass(10 * minute)
    keeper.use()
    keeper.use()
    assert.deepStrictEqual(calls.filter((called) => called !== "tell seen"), ["tell used"])
    await pass(10 * minute)
    keeper.hear({ is: "used" })
    await pass(warnedAfter - minute)
    assert.isFalse(keeper.state().isIdle)
    await pass(minute)
    assert.isTrue(keeper.state().isIdle)
  })

  test("ends after the computer slept only once other windows had time to report that they are in use", async () => {
    const { keeper, standing } = await product.openSignedIn()
    vi.setSystemTime(Date.now() + endsAfter)
    keeper.check()
    keeper.hear({ is: "used" })
    await vi.advanceTimersByTimeAsync(1_000)
    assert.strictEqual(standing().is, "signedIn")
    vi.setSystemTime(Date.now() + endsAfter)
    keeper.check()
    assert.strictEqual(standing().is, "signedIn")
    await vi.advanceTimersByTimeAsync(1_000)
    assert.notStrictEqual(standing().is, "signedIn")
  })
})
