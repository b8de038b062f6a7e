import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { assert, describe } from "vitest"
import { batched } from "../../src/sql/Batched.ts"
import { DatabaseTime, DatabaseUnavailable } from "../../src/sql/Connections.ts"

/** Records each statement's requests; `load` decides its result. */
const openBatch = (load: (requests: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<string>>) => {
  const statements: Array<ReadonlyArray<number>> = []
  const ask = batched((requests: ReadonlyArray<number>) => {
    statements.push(requests)
    return load(requests)
  })
  return { ask, statements }
}

const echo = (requests: ReadonlyArray<number>) => Effect.succeed(requests.map((request) => `row ${request}`))

const together = <A>(effects: ReadonlyArray<Effect.Effect<A>>) => Effect.all(effects, { concurrency: "unbounded" })

const reasonOf = (exit: Exit.Exit<unknown>) =>
  Exit.isFailure(exit) && exit.cause.reasons.map((reason) => reason._tag === "Die" ? reason.defect : reason._tag)

describe("Requests in one turn of the event loop", () => {
  it.effect("share one statement, and each gets its own answer, even if two requests are equal", () =>
    Effect.gen(function*() {
      const { ask, statements } = openBatch(echo)
      assert.deepStrictEqual(yield* together([ask(3), ask(1), ask(3)]), ["row 3", "row 1", "row 3"])
      assert.deepStrictEqual(yield* ask(5), "row 5")
      assert.deepStrictEqual(statements, [[3, 1, 3], [5]])
    }))

  it.effect("use several statements of at most 64", () =>
    Effect.gen(function*() {
      const { ask, statements } = openBatch(echo)
      const numbers = Array.from({ length: 150 }, (_, index) => index)
      assert.deepStrictEqual(yield* together(numbers.map(ask)), numbers.map((number) => `row ${number}`))
      assert.deepStrictEqual(statements.map(({ length }) => length), [64, 64, 22])
    }))

  it.effect("all fail when the statement fails", () =>
    Effect.gen(function*() {
      const away = new DatabaseUnavailable({ cause: "away" })
      const { ask } = openBatch(() => Effect.die(away))
      const exits = yield* together([1, 2].map((request) => Effect.exit(ask(request))))
      assert.deepStrictEqual(exits.map(reasonOf), [[away], [away]])
    }))

  it.effect("continue when others are interrupted, before the statement or during it", () =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const { ask, statements } = openBatch((requests) => Effect.andThen(Deferred.await(answered), echo(requests)))
      const [before, during, stays] = yield* Effect.forEach([1, 2, 3], (request) =>
        Effect.forkChild(ask(request), { startImmediately: true }))
      yield* Fiber.interrupt(before!)
      yield* Effect.promise(() =>
        new Promise((turned) => setImmediate(turned))
      )
      assert.deepStrictEqual(statements, [[2, 3]])
      yield* Fiber.interrupt(during!)
      yield* Deferred.succeed(answered, undefined)
      assert.strictEqual(yield* Fiber.join(stays!), "row 3")
    }))

  it.effect("end the statement once none of them waits for it", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const { ask } = openBatch(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined)))
      const waiting = yield* Effect.forEach([1, 2], (request) =>
        Effect.forkChild(ask(request), { startImmediately: true }))
      yield* Effect.promise(() =>
        new Promise((turned) => setImmediate(turned))
      )
      yield* Fiber.interruptAll(waiting)
      yield* Deferred.await(ended)
    }))

  it.effect("wait no longer than their own time limits, even if they cannot be interrupted", () =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const { ask } = openBatch((requests) => Effect.andThen(Deferred.await(answered), echo(requests)))
      const [short, long] = [{ left: 20 }, { left: 8000 }]
      const patient = yield* Effect.forkChild(Effect.provideService(ask(2), DatabaseTime, long), {
        startImmediately: true
      })
      const exit = yield* ask(1).pipe(Effect.uninterruptible, Effect.provideService(DatabaseTime, short), Effect.exit)
      assert.include(JSON.stringify(reasonOf(exit)), "no answer within 20 ms")
      yield* Deferred.succeed(answered, undefined)
      assert.strictEqual(yield* Fiber.join(patient), "row 2")
      // A timer may fire up to a millisecond early.
      assert.isBelow(short.left, 1)
      assert.isBelow(long.left, 8000)
    }))
})
