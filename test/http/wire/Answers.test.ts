import { Effect, Fiber, Latch } from "effect"
import { assert, describe, test } from "vitest"
import { makeTurns } from "../../../src/http/wire/Answers.ts"

/** Starts tasks that end only when the test ends them, and lists those that are running. */
const works = () => {
  const running: Array<string> = []
  const inTurn = makeTurns(2)
  const begin = (holder: string) => {
    const latch = Latch.makeUnsafe()
    const work = Effect.gen(function*() {
      running.push(holder)
      yield* latch.await
      running.splice(running.indexOf(holder), 1)
    })
    return { fiber: Effect.runFork(inTurn(holder)(work)), end: latch.open }
  }
  return { begin, running }
}

const soon = () => new Promise((later) => setImmediate(later))

describe("Large answers", () => {
  test("are made one at a time for each client, so a client with many requests blocks no other client", async () => {
    const { begin, running } = works()
    const crowd = Array.from({ length: 12 }, () => begin("crowd"))
    await soon()
    assert.deepStrictEqual(running, ["crowd"])
    const other = begin("other")
    await soon()
    assert.deepStrictEqual(running, ["crowd", "other"])
    await Effect.runPromise(other.end)
    for (const { end, fiber } of crowd) {
      await Effect.runPromise(end)
      await Effect.runPromise(Fiber.join(fiber))
      await soon()
    }
    assert.deepStrictEqual(running, [])
  })

  test("are made two at a time for all clients, and a cancelled one frees its place", async () => {
    const { begin, running } = works()
    const [first, second] = [begin("a"), begin("b")]
    begin("c")
    const waiting = begin("b")
    await soon()
    assert.deepStrictEqual(running, ["a", "b"])
    await Effect.runPromise(Fiber.interrupt(waiting.fiber))
    await Effect.runPromise(Fiber.interrupt(first!.fiber))
    await Effect.runPromise(second!.end)
    await soon()
    assert.deepStrictEqual(running.slice(-1), ["c"])
  })
})
