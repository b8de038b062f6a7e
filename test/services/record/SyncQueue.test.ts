import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { VeteranId } from "../../../src/domain/Id.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { SyncQueue } from "../../../src/services/record/SyncQueue.ts"

const layer = SyncQueue.layer.pipe(
  Layer.provide(Layer.succeed(Settings, { syncsAtOnce: 2 } as Settings["Service"]))
)

const newVeteran = () => VeteranId.make(randomUUID())

/** Returns how a task ended, with the error's code if it was refused. */
const ending = <A>(fiber: Fiber.Fiber<A, { readonly error: string }>) =>
  Effect.match(Fiber.join(fiber), { onFailure: ({ error }) => error, onSuccess: () => "done" })

/** Starts a task that runs until the test ends it. Returns when the task runs, waits for its turn or was refused. */
const start = Effect.fnUntraced(function*<E>(place: (work: Effect.Effect<void>) => Effect.Effect<void, E>) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const fiber = yield* Effect.forkChild(place(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))))
  yield* TestClock.adjust(0)
  return { fiber, end: Deferred.succeed(end, undefined), begun: Deferred.isDone(begun) }
})

const use = <E>(test: (queue: SyncQueue["Service"]) => Effect.Effect<void, E>) =>
  Effect.flatMap(SyncQueue, test).pipe(Effect.provide(layer))

describe("The queue of syncs", () => {
  it.effect("lets one sync of a veteran run and one wait, and refuses the third", () =>
    use(Effect.fnUntraced(function*({ inTurn }) {
      const [veteran, other] = [newVeteran(), newVeteran()]
      const [first, second] = [yield* start(inTurn(veteran)), yield* start(inTurn(veteran))]
      const [third, another] = [yield* start(inTurn(veteran)), yield* start(inTurn(other))]
      assert.deepStrictEqual([yield* first.begun, yield* second.begun, yield* another.begun], [true, false, true])
      assert.strictEqual(yield* ending(third.fiber), "rate_limited")
      yield* first.end
      yield* Fiber.join(first.fiber)
      yield* TestClock.adjust(0)
      assert.isTrue(yield* second.begun)
    })))

  it.effect("gives the next client the place of a client that hung up while waiting or running", () =>
    use(Effect.fnUntraced(function*({ inTurn }) {
      const veteran = newVeteran()
      const [first, second] = [yield* start(inTurn(veteran)), yield* start(inTurn(veteran))]
      yield* Fiber.interrupt(second.fiber)
      const third = yield* start(inTurn(veteran))
      assert.strictEqual(yield* third.begun, false)
      yield* Fiber.interrupt(first.fiber)
      yield* TestClock.adjust(0)
      assert.isTrue(yield* third.begun)
      yield* Fiber.interrupt(third.fiber)
      assert.isTrue(yield* (yield* start(inTurn(veteran))).begun)
    })))

  it.effect("runs as many at once as there are places, and answers 503 after 30 seconds of waiting", () =>
    use(Effect.fnUntraced(function*({ inPlace, inTurn }) {
      const large = () => (work: Effect.Effect<void>) => inPlace(newVeteran(), 1e6)(() => work)
      const [first, second] = [yield* start(large()), yield* start(large())]
      const others = [yield* start(large()), yield* start(large()), yield* start(large())]
      const begun = () => Effect.forEach([first, second, ...others], ({ begun }) => begun)
      assert.deepStrictEqual(yield* begun(), [true, true, false, false, false])
      const veteran = newVeteran()
      const [running, waiting] = [yield* start(inTurn(veteran)), yield* start(inTurn(veteran))]
      yield* TestClock.adjust("30 seconds")
      // Those who had a place for 20 seconds left it to the next two.
      assert.deepStrictEqual(yield* begun(), [true, true, true, true, false])
      for (const { fiber } of [first, second, others[2]!, waiting]) {
        assert.strictEqual(yield* ending(fiber), "service_unavailable")
      }
      // The limit of a wait does not end running tasks.
      yield* TestClock.adjust("60 seconds")
      for (const { end, fiber } of [others[0]!, others[1]!, running]) {
        yield* end
        assert.isTrue(Exit.isSuccess(yield* Fiber.await(fiber)))
      }
    })))
})
