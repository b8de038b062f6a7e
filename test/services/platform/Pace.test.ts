import { Effect } from "effect"
import { assert, describe, test } from "vitest"
import { inTurns, makePace } from "../../../src/services/platform/Pace.ts"
import { turnsDuring } from "./Turns.ts"

const spend = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe("A long task", () => {
  test("lets other work have the event loop every few milliseconds", async () => {
    const { result, turns } = await Effect.runPromise(turnsDuring(inTurns((function*() {
      for (let step = 0; step < 60; step++) {
        spend(1)
        yield
      }
      return "done"
    })())))
    assert.strictEqual(result, "done")
    assert.isAtLeast(turns, 15)
  })

  test("lets other work have the event loop even if its steps report few bytes", async () => {
    const { turns } = await Effect.runPromise(turnsDuring(Effect.gen(function*() {
      const pace = makePace()
      for (let step = 0; step < 60; step++) {
        spend(1)
        yield* pace(1)
      }
    })))
    assert.isAtLeast(turns, 15)
  })

  test("continues at once while its steps are short", async () => {
    const { turns } = await Effect.runPromise(turnsDuring(inTurns((function*() {
      yield
      return 1
    })())))
    assert.isAtMost(turns, 2)
  })
})
