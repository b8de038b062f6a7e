import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { conditions, eventually, patient, serve } from "../../../client/Upstream.ts"
import { fixtures, patientTexts } from "../../../support/Collection.ts"
import { digestOf } from "../../../support/Sync.ts"
import { parsed } from "./Gate.ts"
import { ended, goals, never, openGround, quiet, start, steps, storedAt, update, waitFor } from "./Ground.ts"

const { arrive, ground, record, states, storedTexts } = await openGround()

describe("An update", () => {
  it.effect("stores the exact texts of a record, and tells how each kind ended", () =>
    Effect.gen(function*() {
      const patientId = "va-florentino8-raynor401"
      const here = { ...yield* arrive, server: yield* serve(fixtures) }
      const texts = patientTexts(patientId)
      const begun = yield* update(here, [...Object.keys(texts), "Goal"], { patientId })
      assert.deepStrictEqual(begun.end, { how: "done" })
      assert.deepStrictEqual(yield* storedTexts(here), Object.values(texts).flat().toSorted())
      assert.strictEqual(here.gate.bodies.length, 1)
      for (const [type, { count, step }] of begun.kinds()) {
        assert.include(["complete", "empty", "partial", "unavailable"], step, type)
        assert.strictEqual(count, texts[type]?.length ?? 0)
      }
      assert.strictEqual(begun.messages.filter(({ is }) => is === "stored").length, 1)
    }))

  it.effect("sends digests of kinds that have not changed, and the lists of those that have", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(250), Goal: goals(3) })
      yield* update(here, ["Condition", "Goal"])
      yield* update(here, ["Condition", "Goal"])
      const [, second] = here.gate.bodies
      assert.isBelow(second!.length, 400)
      assert.deepStrictEqual(parsed(second!), {
        fhirResourceFetchStatuses: { Goal: "complete", Condition: "complete" },
        unchanged: { Condition: digestOf(conditions(250)), Goal: digestOf(goals(3)) },
        resources: {}
      })
      const changed = {
        ...here,
        server: yield* serve(yield* patient({ Condition: conditions(250), Goal: goals(4, 2) }))
      }
      const third = yield* update(changed, ["Condition", "Goal"])
      assert.deepStrictEqual(here.gate.answers, [200, 200, 409, 200, 200])
      const [refused, rest, whole] = here.gate.bodies.slice(2).map(parsed)
      assert.deepStrictEqual(Object.keys(refused!.unchanged).toSorted(), ["Condition", "Goal"])
      assert.deepStrictEqual(Object.keys(rest!.fhirResourceFetchStatuses), ["Condition"])
      assert.deepStrictEqual([whole!.unchanged, whole!.resources["Goal"]!.length], [{}, 4])
      assert.deepStrictEqual(steps(third), { Condition: "complete", Goal: "complete" })
      assert.deepStrictEqual(
        yield* storedTexts(changed),
        [...conditions(250), ...goals(4, 2)].toSorted()
      )
    }))

  it.effect("sends the same bytes again after 5, 15 and 40 seconds without an answer", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(3) })
      here.gate.spoil("lost", { status: 503, body: { error: "service_unavailable" } }, "lost")
      const begun = yield* start(here, ["Goal"])
      for (const [index, seconds] of [5, 15, 40].entries()) {
        yield* waitFor(() => here.gate.ended() === index + 1)
        yield* quiet
        yield* TestClock.adjust(seconds * 1000 - 1)
        yield* quiet
        assert.strictEqual(here.gate.bodies.length, index + 1)
        yield* TestClock.adjust(1)
      }
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.strictEqual(here.gate.bodies.length, 4)
      for (const body of here.gate.bodies) assert.isTrue(body.equals(here.gate.bodies[0]!))
      assert.deepStrictEqual(yield* storedTexts(here), goals(3).toSorted())
    }))

  it.effect("ends with the reason if the service does not answer four times", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(3) })
      here.gate.spoil("lost", "lost", "lost", { status: 500, body: { error: "internal_error", requestId: "r-1" } })
      const begun = yield* start(here, ["Goal"])
      for (const [index, seconds] of [5, 15, 40].entries()) {
        yield* waitFor(() => here.gate.ended() === index + 1)
        yield* quiet
        yield* TestClock.adjust(`${seconds} seconds`)
      }
      const failed: any = yield* Effect.flip(ended(begun))
      assert.deepStrictEqual(failed.failure, { status: 500, error: "internal_error", requestId: "r-1" })
    }))

  it.effect("waits as a refusal for too many syncs says, and tells nothing of it", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(3) })
      here.gate.spoil(
        ...Array.from({ length: 5 }, () => ({ status: 429, headers: { "retry-after": "27" }, body: {} }))
      )
      const begun = yield* start(here, ["Goal"])
      for (let refused = 1; refused <= 5; refused++) {
        yield* waitFor(() => here.gate.ended() === refused)
        yield* quiet
        yield* TestClock.adjust("26 seconds")
        yield* quiet
        assert.strictEqual(here.gate.bodies.length, refused)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.deepStrictEqual(begun.messages.filter(({ is }) => is === "waiting"), [])
      assert.deepStrictEqual(yield* storedTexts(here), goals(3).toSorted())
    }))

  it.effect("tells that the VA asks to wait, and goes on after 30 seconds", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(3) })
      yield* here.server.script("Goal", [{ times: 1, answer: { status: 429 } }])
      const begun = yield* start(here, ["Goal"])
      yield* waitFor(() => begun.messages.some(({ is }) => is === "waiting"))
      yield* waitFor(() => begun.kinds().get("Goal")?.step === "paused")
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.deepStrictEqual(begun.messages.filter(({ is }) => is === "waiting"), [
        { is: "waiting", until: 30_000 },
        { is: "waiting", until: null }
      ])
      assert.deepStrictEqual(steps(begun), { Goal: "complete" })
    }))

  it.effect("loads a kind again after the others if the VA's limit was spent each time, and at last gives it up", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(150), Goal: goals(1) })
      const asked = Effect.map(
        here.server.requests,
        (requests) => requests.filter(({ page, resourceType }) => resourceType === "Condition" && page === 2).length
      )
      const wait = Effect.fnUntraced(function*(times: number) {
        for (let time = 1; time <= times; time++) {
          yield* eventually(Effect.map(asked, (count) => count >= time))
          yield* quiet
          if (time % 3 !== 0) yield* TestClock.adjust("30 seconds")
        }
      })
      yield* here.server.script("Condition", [{ page: 2, times: 3, answer: { status: 429 } }])
      const first = yield* start(here, ["Condition", "Goal"])
      yield* wait(3)
      assert.deepStrictEqual([yield* ended(first), steps(first)], [
        { how: "done" },
        { Condition: "complete", Goal: "complete" }
      ])
      assert.deepStrictEqual(
        here.gate.bodies.map((body) => Object.keys(parsed(body).fhirResourceFetchStatuses)),
        [["Goal"], ["Condition"]]
      )
      const other = yield* ground({ Goal: goals(1) })
      yield* other.server.script("Goal", [{ answer: { status: 429 } }])
      const second = yield* start(other, ["Goal"])
      for (let time = 1; time <= 18; time++) {
        yield* eventually(Effect.map(other.server.requests, ({ length }) => length >= time))
        yield* quiet
        if (time % 3 !== 0) yield* TestClock.adjust("30 seconds")
      }
      assert.deepStrictEqual(yield* ended(second), { how: "done" })
      assert.deepInclude(second.kinds().get("Goal"), { step: "unavailable", cause: "limited" })
    }))

  it.effect("names a kind partial if a later page fails, and keeps its older list", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(150), Goal: goals(1) })
      yield* here.server.script("Condition", [{ page: 2, answer: { status: 503 } }])
      const first = yield* update(here, ["Condition", "Goal"])
      assert.deepInclude(first.kinds().get("Condition"), {
        step: "partial",
        count: 100,
        cause: "refused",
        keepsOlder: false
      })
      assert.deepStrictEqual(yield* storedTexts(here), [...conditions(100), ...goals(1)].toSorted())
      yield* here.server.script("Condition", [])
      yield* update(here, ["Condition"])
      yield* here.server.script("Condition", [{ page: 2, answer: { status: 503 } }])
      const third = yield* update(here, ["Condition"])
      assert.deepInclude(third.kinds().get("Condition"), { step: "partial", keepsOlder: true })
      assert.deepStrictEqual(yield* states(here), {
        Condition: ["stale", "partial"],
        Goal: ["complete", "complete"]
      })
      assert.deepStrictEqual(yield* storedTexts(here), [...conditions(150), ...goals(1)].toSorted())
    }))

  it.effect("reads the kinds that are older than its begin, and shows how the others were stored", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(2), Goal: goals(2) })
      const first = yield* update(here, ["Condition"])
      const asked = (yield* here.server.requests).length
      const second = yield* update(here, ["Condition", "Goal"], { begin: storedAt(first)! })
      assert.deepStrictEqual(
        (yield* here.server.requests).slice(asked).map(({ resourceType }) => resourceType),
        ["Goal"]
      )
      assert.deepStrictEqual(steps(second), { Condition: "complete", Goal: "complete" })
      assert.strictEqual(second.kinds().get("Condition")!.count, 2)
    }))

  it.effect("asks for a new access token when less than three minutes are left, and after a refusal", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(1) })
      const begun = yield* start(here, ["Goal"], { expiresAt: 179_999 })
      yield* waitFor(() => begun.messages.length > 0)
      yield* quiet
      assert.deepStrictEqual([begun.messages, here.gate.tokens], [[{ is: "renew" }], []])
      begun.access.give({ authorization: "Bearer ended", expiresAt: 180_000 })
      yield* waitFor(() => begun.messages.length === 2)
      assert.deepStrictEqual(begun.messages[1], { is: "renew" })
      begun.access.give({ authorization: here.veteran.headers.authorization, expiresAt: never })
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.deepStrictEqual(here.gate.tokens, [
        "Bearer ended",
        ...Array.from({ length: 2 }, () => here.veteran.headers.authorization)
      ])
    }))

  it.effect("fails if a new access token is refused too", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(1) })
      const ground2 = { ...here, veteran: { ...here.veteran, headers: { authorization: "Bearer none" } } }
      const begun = yield* start(ground2, ["Goal"])
      yield* waitFor(() => begun.messages.length === 1)
      begun.access.give({ authorization: "Bearer none", expiresAt: never })
      const failed: any = yield* Effect.flip(ended(begun))
      assert.deepInclude(failed.failure, { status: 401, error: "unauthenticated" })
    }))

  it.effect("ends without naming the rest when the VA's sign-in has ended", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(1), Goal: goals(1), Encounter: [] })
      yield* here.server.script("Goal", [{ answer: { status: 401 } }])
      const all = ["Goal", "Condition", "Encounter"]
      assert.deepStrictEqual((yield* update(here, all, { vaExpiresAt: 0 })).end, { how: "va_over" })
      assert.deepStrictEqual([here.gate.bodies.length, (yield* here.server.requests).length], [0, 0])
      // The VA took the token for another kind, and its time is not up: this kind alone could not be loaded.
      const second = yield* update(here, ["Condition", "Encounter", "Goal"])
      assert.deepStrictEqual(second.end, { how: "done" })
      assert.deepInclude(second.kinds().get("Goal"), { step: "unavailable", cause: "unauthorized" })
      for (const type of all) yield* here.server.script(type, [{ answer: { status: 401 } }])
      const before = yield* states(here)
      const third = yield* update(here, all)
      assert.deepStrictEqual([third.end, steps(third)], [
        { how: "va_over" },
        { Goal: "open", Condition: "open", Encounter: "open" }
      ])
      assert.deepStrictEqual(yield* states(here), before)
    }))

  it.effect("sends a refused body in smaller ones, until the kind that is refused is alone", () =>
    Effect.gen(function*() {
      const types = ["Goal", "Condition", "Encounter", "Procedure", "Immunization"]
      const here = yield* ground({ Goal: goals(1), Condition: conditions(1) })
      here.gate.refuse("Encounter")
      here.gate.spoil({ status: 413 })
      const { end, ...begun } = yield* update(here, types)
      assert.deepStrictEqual(end, { how: "done" })
      const sizes = here.gate.bodies.map((body) => Object.keys(parsed(body).fhirResourceFetchStatuses).length)
      assert.deepStrictEqual([sizes[0], Math.min(...sizes)], [5, 1])
      assert.deepStrictEqual(steps(begun), {
        Goal: "complete",
        Condition: "complete",
        Encounter: "refused",
        Procedure: "empty",
        Immunization: "empty"
      })
      assert.deepStrictEqual(Object.keys(yield* states(here)).toSorted(), [
        "Condition",
        "Goal",
        "Immunization",
        "Procedure"
      ])
    }))

  it.effect("fails at once when the service refuses every sync", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(1) })
      here.gate.spoil({ status: 409, body: { error: "deletion_pending" } })
      const failed: any = yield* Effect.flip(ended(yield* start(here, ["Goal"])))
      assert.deepInclude(failed.failure, { status: 409, error: "deletion_pending" })
    }))

  it.effect("names no kind that was not sent when it is stopped", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Condition: conditions(150), Goal: goals(1) })
      yield* update(here, ["Condition", "Goal"])
      const before = yield* record(here)
      yield* here.server.script("Condition", [{ page: 2, answer: "hang" }])
      const begun = yield* start(here, ["Condition", "Goal"])
      yield* waitFor(() => begun.kinds().get("Goal")?.step === "sending")
      yield* Fiber.interrupt(begun.fiber)
      yield* quiet
      assert.strictEqual(here.gate.bodies.length, 1)
      assert.deepStrictEqual(yield* record(here), before)
    }))

  it.effect("does not count an answer that was lost while the device was away", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(3) })
      here.gate.spoil("lost", "lost", "lost", "lost")
      const begun = yield* start(here, ["Goal"])
      begun.presence.leave("offline")
      yield* waitFor(() => here.gate.ended() === 1)
      yield* quiet
      yield* TestClock.adjust("1 hour")
      yield* quiet
      assert.strictEqual(here.gate.bodies.length, 1)
      begun.presence.come("offline")
      for (const [index, seconds] of [5, 5, 15, 40].entries()) {
        yield* waitFor(() => here.gate.ended() === index + 1)
        yield* quiet
        yield* TestClock.adjust(`${seconds} seconds`)
      }
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.deepStrictEqual([here.gate.bodies.length, yield* storedTexts(here)], [5, goals(3)])
    }))

  it.effect("loads a kind again that could not be loaded while the device was away", () =>
    Effect.gen(function*() {
      const here = yield* ground({ Goal: goals(2) })
      yield* here.server.script("Goal", [{ times: 1, answer: "hang" }])
      const begun = yield* start(here, ["Goal"])
      yield* eventually(Effect.map(here.server.requests, ({ length }) => length === 1))
      yield* quiet
      begun.presence.leave("hidden")
      yield* TestClock.adjust("30 seconds")
      yield* quiet
      assert.strictEqual((yield* here.server.requests).length, 1)
      begun.presence.come("hidden")
      assert.deepStrictEqual(yield* ended(begun), { how: "done" })
      assert.deepStrictEqual(steps(begun), { Goal: "complete" })
    }))
})
