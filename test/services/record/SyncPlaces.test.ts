import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { VeteranId } from "../../../src/domain/Id.ts"
import { makePlaces } from "../../../src/services/record/SyncPlaces.ts"

const newVeteran = () => VeteranId.make(randomUUID())

type Places = ReturnType<typeof makePlaces>

/** Starts a sync that runs until the test ends it. */
const start = Effect.fnUntraced(function*({ inPlace }: Places, veteranId: VeteranId, bytes = 1e6) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const fiber = yield* Effect.forkChild(
    inPlace(veteranId, bytes)(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))
  )
  yield* TestClock.adjust(0)
  return {
    runs: Deferred.isDone(begun),
    hangUp: Fiber.interrupt(fiber),
    end: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
  }
})

/** Holds the only place for this many seconds. */
const occupy = Effect.fnUntraced(function*(places: Places, veteranId: VeteranId, seconds: number) {
  const sync = yield* start(places, veteranId)
  yield* TestClock.adjust(`${seconds} seconds`)
  yield* sync.end
})

const all = Effect.fnUntraced(function*(syncs: ReadonlyArray<{ readonly runs: Effect.Effect<boolean> }>) {
  return yield* Effect.forEach(syncs, ({ runs }) => runs)
})

describe("The places of syncs", () => {
  it.effect("are as many as configured, plus one that only a small sync gets", () =>
    Effect.gen(function*() {
      const places = makePlaces(2)
      const large = yield* Effect.replicateEffect(start(places, newVeteran()), 3)
      const small = yield* Effect.replicateEffect(start(places, newVeteran(), 1000), 2)
      assert.deepStrictEqual(yield* all([...large, ...small]), [true, true, false, true, false])
      yield* small[0]!.end
      assert.deepStrictEqual(yield* all([large[2]!, small[1]!]), [false, true])
      yield* large[0]!.end
      assert.deepStrictEqual([yield* large[2]!.runs, places.running()], [true, 3])
    }))

  it.effect("have room for 80 MiB of large bodies, and separate room for small ones", () =>
    Effect.gen(function*() {
      const places = makePlaces(3)
      const largest = 64 * 1024 * 1024
      const [first, second] = [yield* start(places, newVeteran(), largest), yield* start(places, newVeteran(), largest)]
      const others = [yield* start(places, newVeteran(), 16e6), yield* start(places, newVeteran(), 1000)]
      assert.deepStrictEqual(yield* all([first, second, ...others]), [true, false, true, true])
      yield* first.end
      assert.isTrue(yield* second.runs)
    }))

  it.effect("go first to the veteran who used them least in the recent past", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const [heavy, light, holder] = [newVeteran(), newVeteran(), newVeteran()]
      yield* occupy(places, heavy, 20)
      yield* occupy(places, light, 1)
      const held = yield* start(places, holder)
      const first = yield* start(places, heavy)
      yield* TestClock.adjust("5 seconds")
      const [second, third] = [yield* start(places, light), yield* start(places, newVeteran())]
      yield* held.end
      assert.deepStrictEqual(yield* all([first, second, third]), [false, false, true])
      yield* third.end
      assert.deepStrictEqual(yield* all([first, second]), [false, true])
      yield* second.end
      assert.isTrue(yield* first.runs)
    }))

  it.effect("go first to the longest-waiting veteran without recent use, and eventually to every veteran", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const heavy = newVeteran()
      yield* occupy(places, heavy, 10)
      let held = yield* start(places, newVeteran())
      const waiting = yield* start(places, heavy)
      let turns = 0
      for (; !(yield* waiting.runs); turns++) {
        const next = yield* start(places, newVeteran())
        yield* TestClock.adjust("1 second")
        yield* held.end
        held = next
      }
      assert.isAbove(turns, 5)
      assert.isAtMost(turns, 11)
    }))

  it.effect("forget earlier use: after a minute only half of it counts", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const [earlier, later] = [newVeteran(), newVeteran()]
      yield* occupy(places, earlier, 10)
      yield* TestClock.adjust("2 minutes")
      yield* occupy(places, later, 5)
      const held = yield* start(places, newVeteran())
      const [first, second] = [yield* start(places, later), yield* start(places, earlier)]
      yield* held.end
      assert.deepStrictEqual(yield* all([first, second]), [false, true])
    }))

  it.effect("are free again when a client hangs up while its sync runs or waits", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const [first, second, third] = yield* Effect.replicateEffect(start(places, newVeteran()), 3)
      yield* second!.hangUp
      yield* first!.hangUp
      assert.isTrue(yield* third!.runs)
      yield* third!.end
      assert.strictEqual(places.running(), 0)
    }))
})
