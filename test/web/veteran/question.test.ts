import { Effect, Fiber } from "effect"
import { assert, test } from "vitest"
import { Problem } from "../../../web/shared/Problem.ts"
import { makeQuestion } from "../../../web/veteran/confirm/Question.ts"

const errorOf = (fiber: Fiber.Fiber<void, Problem>) => Effect.runPromise(Effect.flip(Fiber.join(fiber)))

test("All who wait for the question share one, and go on when it is answered", async () => {
  const question = makeQuestion()
  let changes = 0
  question.subscribe(() => changes++)
  assert.isFalse(question.isOpen())
  const waiting = [Effect.runFork(question.asked), Effect.runFork(question.asked)]
  assert.isTrue(question.isOpen())
  question.confirm()
  assert.isFalse(question.isOpen())
  await Effect.runPromise(Fiber.joinAll(waiting))
  assert.strictEqual(changes, 2)
})

test("A veteran who does not confirm has a problem, and may be asked again", async () => {
  const question = makeQuestion()
  const first = Effect.runFork(question.asked)
  question.cancel()
  assert.deepStrictEqual(await errorOf(first), Problem.make({ error: "not_confirmed" }))
  const second = Effect.runFork(question.asked)
  assert.isTrue(question.isOpen())
  question.confirm()
  await Effect.runPromise(Fiber.join(second))
})

test("The question is taken back once nobody waits for it", async () => {
  const question = makeQuestion()
  const [first, second] = [Effect.runFork(question.asked), Effect.runFork(question.asked)]
  await Effect.runPromise(Fiber.interrupt(first!))
  assert.isTrue(question.isOpen())
  await Effect.runPromise(Fiber.interrupt(second!))
  assert.isFalse(question.isOpen())
})
