import { Effect } from "effect"
import { assert, describe, test } from "vitest"
import { inTurns, makePace } from "../../../src/services/platform/Pace.ts"

/** Counts the turns of the event loop that other work has during a task. */
const turnsDuring = async <A>(work: Effect.Effect<A>) => {
  let [turns, isOver] = [0, false]
  const count = () => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  const result = await Effect.runPromise(work)
  isOver = true
  return { result, turns }
}

const spend = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe("A long task", () => {
  test("lets other work have the event loop every few milliseconds", async () => {
    const { result, turns } = await turnsDuring(inTurns((function*() {
      for (let step = 0; step < 60; step++) {
        spend(1)
        yield
      }
      return "done"
    })()))
    assert.strictEqual(result, "done")
    assert.isAtLeast(turns, 15)
  })

  test("lets other work have the event loop even if its steps report few bytes", async () => {
    const { turns } = await turnsDuring(Effect.gen(function*() {
      const pace = makePace()
      for (let step = 0; step < 60; step++) {
        spend(1)
        yield* pace(1)
      }
    }))
    assert.isAtLeast(turns, 15)
  })

  test("continues at once while its steps are short", async () => {
    const { turns } = await turnsDuring(inTurns((function*() {
      yield
      return 1
    })()))
    assert.isAtMost(turns, 2)
  })
})
