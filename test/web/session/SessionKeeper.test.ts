import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, test, vi } from "vitest"
import type { ProviderId } from "../../../src/domain/Id.ts"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import type { Access } from "../../../web/portal/session/Access.ts"
import { makeSessionKeeper } from "../../../web/portal/session/SessionKeeper.ts"
import type { SessionMark } from "../../../web/portal/session/SessionMark.ts"
import type { News } from "../../../web/portal/session/SessionNews.ts"
import { Problem } from "../../../web/shared/Problem.ts"

const minute = 60_000

const unauthenticated = Problem.make({ error: "unauthenticated" })

const unreachable = Problem.make({ error: "unreachable" })

const answerFor = (id: string): ProviderAccess => ({
  accessToken: `token of ${id}`,
  tokenType: "Bearer",
  expiresIn: 3_600,
  provider: {
    id: id as ProviderId,
    email: `${id}@example.org`,
    displayName: id,
    organization: "Clinic",
    npi: null,
    createdAt: new Date(0)
  }
})

/** Opens a keeper with a fake browser and a fake service. `calls` records what the keeper asked of them. */
const openKeeper = ({ mark = undefined as SessionMark | undefined } = {}) => {
  const calls: Array<string> = []
  const service = {
    resumed: Effect.succeed(answerFor("ann")) as Effect.Effect<ProviderAccess, Problem>,
    ended: Effect.void as Effect.Effect<void, Problem>,
    answers: Effect.void as Effect.Effect<void, Problem>,
    isOver: false,
    isDue: false
  }
  const kept = { mark }
  const keeper = makeSessionKeeper({
    mark: { read: () => kept.mark, write: (next) => void (kept.mark = next) },
    drafts: { keepFor: (id) => calls.push(`keep drafts for ${id}`), forget: () => calls.push("forget drafts") },
    tell: (news: News) => calls.push(`tell ${news.is}`),
    goTo: ({ screen }) => calls.push(`go to ${screen}`),
    service: {
      resumed: Effect.suspend(() => service.resumed),
      ended: (token) =>
        Effect.suspend(() => {
          calls.push(`end ${token}`)
          return service.ended
        }),
      makeAccess: ({ accessToken, provider }): Access => ({
        provider,
        token: () => accessToken,
        call: () => Effect.suspend(() => service.answers) as Effect.Effect<never, Problem>,
        authorization: () => ({ api: "", authorization: accessToken }),
        isOver: () => service.isOver,
        isDue: () => service.isDue,
        renewed: Effect.suspend(() => service.answers)
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
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      await vi.advanceTimersByTimeAsync(10_000)
      keeper.check()
    }
    await vi.advanceTimersByTimeAsync(0)
  }
  return { calls, keeper, kept, pass, service, session, standing }
}

/** A keeper in whose window the provider Ann has signed in. */
const openSignedIn = () => {
  const opened = openKeeper()
  opened.keeper.begin()
  opened.keeper.signedIn(answerFor("ann"))
  opened.calls.length = 0
  return opened
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

describe("A page that is loaded", () => {
  test("shows the sign-in if the browser remembers no session", () => {
    const { keeper, standing } = openKeeper()
    keeper.begin()
    assert.deepStrictEqual(standing(), { is: "signedOut" })
  })

  test("resumes the session that the browser remembers", async () => {
    const { keeper, service, session, standing } = openKeeper({ mark: "kept" })
    service.resumed = Effect.delay(Effect.succeed(answerFor("ann")), "1 second")
    keeper.begin()
    assert.deepStrictEqual(standing(), { is: "resuming" })
    await vi.advanceTimersByTimeAsync(1_000)
    assert.strictEqual(session().provider.displayName, "ann")
  })

  test("shows the sign-in and forgets the session if the service has ended it", async () => {
    const { keeper, kept, service, standing } = openKeeper({ mark: "kept" })
    service.resumed = Effect.fail(unauthenticated)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "unknown" })
    assert.isUndefined(kept.mark)
  })

  test("keeps a session if the service cannot be reached, and resumes it when the browser is online", async () => {
    const { keeper, kept, service, session, standing } = openKeeper({ mark: "kept" })
    service.resumed = Effect.fail(unreachable)
    keeper.begin()
    await settle()
    assert.deepStrictEqual(standing(), { is: "unresumed", problem: unreachable })
    assert.strictEqual(kept.mark, "kept")
    service.resumed = Effect.succeed(answerFor("ann"))
    keeper.online()
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })

  test("finishes a sign-out that did not reach the service before the reload", async () => {
    const { calls, keeper, kept, standing } = openKeeper({ mark: "ending" })
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
    const { keeper, session } = openKeeper({ mark: "kept" })
    keeper.beginWith(Effect.fail(unauthenticated), ({ error }) => error)
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })
})

describe("A sign-out", () => {
  test("empties the window immediately, and is repeated until the service confirms it", async () => {
    const { calls, keeper, kept, service, session, standing } = openSignedIn()
    service.ended = Effect.fail(unreachable)
    session().signOut()
    assert.deepStrictEqual(standing(), { is: "signedOut" })
    await settle()
    assert.deepStrictEqual(calls, ["forget drafts", "go to patients", "tell signedOut", "end token of ann"])
    assert.isTrue(keeper.state().unfinished)
    assert.strictEqual(kept.mark, "ending")
    service.ended = Effect.void
    await vi.advanceTimersByTimeAsync(5_000)
    assert.isFalse(keeper.state().unfinished)
    assert.isUndefined(kept.mark)
  })

  test("is no longer repeated once a provider signs in again, even if the service has not confirmed it", async () => {
    const { calls, keeper, kept, service, session } = openSignedIn()
    service.ended = Effect.fail(unreachable)
    session().signOut()
    await settle()
    keeper.signedIn(answerFor("ann"))
    calls.length = 0
    await vi.advanceTimersByTimeAsync(minute)
    assert.deepStrictEqual(calls, [])
    assert.isFalse(keeper.state().unfinished)
    assert.strictEqual(kept.mark, "kept")
  })
})

describe("A session", () => {
  test("ends when a call is refused, and the provider signs in again at the same address", async () => {
    const { calls, keeper, kept, service, session, standing } = openSignedIn()
    service.answers = Effect.fail(unauthenticated)
    await Effect.runPromiseExit(session().call(() => Effect.void))
    assert.deepStrictEqual(standing(), { is: "ended", ending: "unknown" })
    assert.isUndefined(kept.mark)
    keeper.signInAgain()
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "unknown" })
    assert.deepStrictEqual(calls, [])
  })

  test("does not end when a call fails without a refusal", async () => {
    const { service, session, standing } = openSignedIn()
    service.answers = Effect.fail(unreachable)
    await Effect.runPromiseExit(session().call(() => Effect.void))
    assert.strictEqual(standing().is, "signedIn")
  })

  test("is not ended by a late refusal of an older session", async () => {
    const { keeper, session, standing } = openSignedIn()
    const older = session()
    keeper.signedIn(answerFor("ann"))
    older.end()
    assert.strictEqual(standing().is, "signedIn")
  })

  test("ends when its 12 hours have passed", async () => {
    const { keeper, service, standing } = openSignedIn()
    service.isOver = true
    keeper.check()
    assert.deepStrictEqual(standing(), { is: "ended", ending: "time" })
  })

  test("ends when its renewal is refused", async () => {
    const { keeper, service, standing } = openSignedIn()
    ;[service.isDue, service.answers] = [true, Effect.fail(unauthenticated)]
    keeper.check()
    await settle()
    assert.deepStrictEqual(standing(), { is: "ended", ending: "unknown" })
  })

  test("starts with the list of patients if another provider signs in", () => {
    const { calls, keeper } = openSignedIn()
    keeper.signedIn(answerFor("bob"))
    assert.deepStrictEqual(calls, ["go to patients", "keep drafts for bob", "tell signedIn"])
  })

  test("is removed from a page in the back/forward cache, and is resumed when the page is shown again", async () => {
    const { keeper, session, standing } = openSignedIn()
    keeper.hide()
    assert.deepStrictEqual(standing(), { is: "resuming" })
    keeper.begin()
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })
})

describe("A session that nobody uses", () => {
  const isIdle = ({ keeper, standing }: ReturnType<typeof openSignedIn>) => {
    const now = standing()
    return now.is === "signedIn" ? keeper.state().isIdle : undefined
  }

  test("warns after 28 minutes and ends after 30", async () => {
    const opened = openSignedIn()
    const { calls, kept, pass, standing } = opened
    await pass(28 * minute - 10_000)
    assert.isFalse(isIdle(opened))
    await pass(10_000)
    assert.isTrue(isIdle(opened))
    await pass(2 * minute)
    assert.deepStrictEqual(standing(), { is: "ended", ending: "idle" })
    assert.deepStrictEqual(calls, ["tell leftIdle", "end token of ann"])
    assert.isUndefined(kept.mark)
  })

  test("continues after the warning only if the provider answers it: other key presses do not count", async () => {
    const opened = openSignedIn()
    const { keeper, pass, standing } = opened
    await pass(28 * minute)
    keeper.use()
    assert.isTrue(isIdle(opened))
    keeper.stay()
    assert.isFalse(isIdle(opened))
    await pass(28 * minute - 10_000)
    assert.isFalse(isIdle(opened))
    await pass(2 * minute + 10_000)
    assert.deepStrictEqual(standing(), { is: "ended", ending: "idle" })
  })

  test("counts use in this window and in others, and tells the others of use at most every 20 seconds", async () => {
    const opened = openSignedIn()
    const { calls, keeper, pass } = opened
    await pass(20 * minute)
    keeper.use()
    keeper.use()
    assert.deepStrictEqual(calls, ["tell used"])
    await pass(20 * minute)
    keeper.hear({ is: "used" })
    await pass(27 * minute)
    assert.isFalse(isIdle(opened))
    await pass(minute)
    assert.isTrue(isIdle(opened))
  })

  test("after the computer slept, ends only once other windows had time to report that they are in use", async () => {
    const { keeper, standing } = openSignedIn()
    vi.setSystemTime(Date.now() + 60 * minute)
    keeper.check()
    keeper.hear({ is: "used" })
    await vi.advanceTimersByTimeAsync(1_000)
    assert.strictEqual(standing().is, "signedIn")
    vi.setSystemTime(Date.now() + 60 * minute)
    keeper.check()
    assert.strictEqual(standing().is, "signedIn")
    await vi.advanceTimersByTimeAsync(1_000)
    assert.deepStrictEqual(standing(), { is: "ended", ending: "idle" })
  })
})

describe("News from another window", () => {
  test("that the provider signed out ends the session here and forgets the drafts", () => {
    const { calls, keeper, standing } = openSignedIn()
    keeper.hear({ is: "signedOut" })
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "elsewhere" })
    assert.deepStrictEqual(calls, ["forget drafts", "go to patients"])
  })

  test("that the session was ended for lack of use ends it here too, and keeps the drafts", () => {
    const { calls, keeper, standing } = openSignedIn()
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

  test("that a provider signed in resumes the session here", async () => {
    const { keeper, session } = openKeeper()
    keeper.begin()
    keeper.hear({ is: "signedIn", providerId: "ann" })
    await settle()
    assert.strictEqual(session().provider.id, "ann")
  })

  test("that the same provider signed in changes nothing, and that another provider signed in ends the session", () => {
    const { keeper, standing } = openSignedIn()
    keeper.hear({ is: "signedIn", providerId: "ann" })
    assert.strictEqual(standing().is, "signedIn")
    keeper.hear({ is: "signedIn", providerId: "bob" })
    assert.deepStrictEqual(standing(), { is: "ended", ending: "elsewhere" })
  })

  test("stops a resumption that is under way", async () => {
    const { keeper, service, standing } = openKeeper({ mark: "kept" })
    service.resumed = Effect.delay(Effect.succeed(answerFor("ann")), "1 second")
    keeper.begin()
    keeper.hear({ is: "signedOut" })
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepStrictEqual(standing(), { is: "signedOut", ending: "elsewhere" })
  })
})
