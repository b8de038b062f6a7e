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
      const large = () => inPlace(newVeteran(), 1e6)
      const [first, second] = [yield* start(large()), yield* start(large())]
      const third = yield* start(large())
      assert.deepStrictEqual([yield* first.begun, yield* second.begun, yield* third.begun], [true, true, false])
      const veteran = newVeteran()
      const [running, waiting] = [yield* start(inTurn(veteran)), yield* start(inTurn(veteran))]
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* ending(third.fiber), "service_unavailable")
      assert.strictEqual(yield* ending(waiting.fiber), "service_unavailable")
      // The limit does not end running tasks. The 30 seconds of a new task begin with that task.
      const fourth = yield* start(large())
      yield* first.end
      yield* TestClock.adjust("29 seconds")
      assert.isTrue(yield* fourth.begun)
      for (const { end, fiber } of [second, fourth, running]) {
        yield* end
        assert.isTrue(Exit.isSuccess(yield* Fiber.await(fiber)))
      }
    })))
})
