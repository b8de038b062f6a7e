import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { ServiceUnavailable } from "../../../src/domain/Errors.ts"
import { VeteranId } from "../../../src/domain/Id.ts"
import { makePlaces } from "../../../src/services/record/SyncPlaces.ts"

const newVeteran = () => VeteranId.make(randomUUID())

type Places = ReturnType<typeof makePlaces>

/** Starts a sync that runs until the test ends it. */
const start = Effect.fnUntraced(function*({ inPlace }: Places, veteranId: VeteranId, bytes = 1e6) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const fiber = yield* Effect.forkChild(
    inPlace(veteranId, bytes)((finish) =>
      Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(end)), Effect.andThen(finish))
    )
  )
  yield* TestClock.adjust(0)
  return {
    runs: Deferred.isDone(begun),
    refusal: Effect.sync(() => {
      const exit = fiber.pollUnsafe()
      return exit?._tag === "Failure" ? Cause.squash(exit.cause) : undefined
    }),
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

const refusals = Effect.fnUntraced(function*(syncs: ReadonlyArray<{ readonly refusal: Effect.Effect<unknown> }>) {
  return yield* Effect.forEach(syncs, ({ refusal }) => refusal)
})

const crowded = new ServiceUnavailable(ServiceUnavailable.crowded)

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

  it.effect("are held by time: who has worked for 20 seconds leaves them to those who wait, one after the other", () =>
    Effect.gen(function*() {
      const places = makePlaces(2)
      const large = yield* Effect.replicateEffect(start(places, newVeteran()), 2)
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* refusals(large), [undefined, undefined])
      const waiting = yield* start(places, newVeteran())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* refusals(large), [crowded, undefined])
      assert.isTrue(yield* waiting.runs)
      const next = yield* start(places, newVeteran())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* refusals(large), [crowded, crowded])
      assert.isTrue(yield* next.runs)
      const others = yield* Effect.replicateEffect(start(places, newVeteran()), 2)
      yield* TestClock.adjust("17 seconds")
      assert.deepStrictEqual(yield* refusals([waiting, next, ...others]), [undefined, undefined, undefined, undefined])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* refusals([waiting, next]), [crowded, crowded])
      assert.deepStrictEqual(yield* all(others), [true, true])
      assert.strictEqual(places.running(), 2)
    }))

  it.effect("are left to somebody who was refused and comes again, so that two long syncs both end", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const [one, other] = [newVeteran(), newVeteran()]
      const first = yield* start(places, one)
      const second = yield* start(places, other)
      yield* TestClock.adjust("21 seconds")
      assert.deepStrictEqual(yield* refusals([first]), [crowded])
      const again = yield* start(places, one)
      yield* TestClock.adjust("21 seconds")
      assert.deepStrictEqual(yield* refusals([second]), [crowded])
      assert.isTrue(yield* again.runs)
      const otherAgain = yield* start(places, other)
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* refusals([again]), [undefined])
      yield* again.end
      const third = yield* start(places, newVeteran())
      assert.deepStrictEqual(yield* all([otherAgain, third]), [true, false])
      yield* TestClock.adjust("60 seconds")
      yield* otherAgain.end
      // After an ended sync, a veteran is as anybody else.
      assert.isTrue(yield* third.runs)
      yield* third.end
      const more = yield* start(places, one)
      yield* start(places, newVeteran())
      yield* TestClock.adjust("21 seconds")
      assert.deepStrictEqual(yield* refusals([more]), [crowded])
    }))

  it.effect("are left so to one at a time: of two who come again, the others get the place of the second", () =>
    Effect.gen(function*() {
      const places = makePlaces(2)
      const [one, other] = [newVeteran(), newVeteran()]
      const long = [yield* start(places, one), yield* start(places, other)]
      const short = yield* Effect.replicateEffect(start(places, newVeteran()), 2)
      yield* TestClock.adjust("23 seconds")
      assert.deepStrictEqual(yield* refusals(long), [crowded, crowded])
      const again = [yield* start(places, one), yield* start(places, other)]
      for (const { end } of short) yield* end
      const waiting = yield* start(places, newVeteran())
      yield* TestClock.adjust("21 seconds")
      assert.deepStrictEqual(yield* refusals(again), [undefined, crowded])
      assert.isTrue(yield* waiting.runs)
    }))

  it.effect("are not taken from a sync that is about to keep its result, and nothing of a refused one is kept", () =>
    Effect.gen(function*() {
      const places = makePlaces(1)
      const kept: Array<string> = []
      const end = yield* Deferred.make<void>()
      /** Works as a transaction does: in another fiber, which does not end at once. */
      const work = (name: string, seconds: number) =>
        Effect.forkChild(
          places.inPlace(newVeteran(), 1e6)((finish) =>
            Effect.sleep(`${seconds} seconds`).pipe(
              Effect.andThen(finish),
              Effect.andThen(Effect.sync(() => kept.push(name))),
              Effect.forkDetach,
              Effect.flatMap(Fiber.join),
              Effect.andThen(Deferred.await(end))
            )
          )
        )
      const first = yield* work("first", 19)
      yield* TestClock.adjust(0)
      const second = yield* work("second", 21)
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual([kept, places.running()], [["first"], 1])
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      const third = yield* start(places, newVeteran())
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* Effect.flip(Fiber.join(second))).error, "service_unavailable")
      assert.deepStrictEqual([kept, yield* third.runs], [["first"], true])
    }))

  it.effect("of 80 MiB go to a whole record too, though smaller ones take turns", () =>
    Effect.gen(function*() {
      const places = makePlaces(3)
      const rival = () => start(places, newVeteran(), 26e6)
      const rivals = [yield* rival(), yield* rival(), yield* rival()]
      const whole = yield* start(places, newVeteran(), 57e6)
      yield* TestClock.adjust("1 second")
      for (let n = 0; n < 3; n++) {
        yield* rivals[n]!.end
        rivals.push(yield* rival())
      }
      assert.isTrue(yield* whole.runs)
    }))
})
