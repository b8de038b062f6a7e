import { Redacted } from "effect"
import { assert, describe, test } from "vitest"
import { matcher } from "../../../src/services/operation/Operators.ts"

const secretOf = (index: number) => `secret number ${index} of at least 32 bytes`

const nameOf = matcher(
  Array.from({ length: 500 }, (_, index) => ({ name: `name-${index}`, secret: Redacted.make(secretOf(index)) }))
)

/** The shortest of many times is the one that nothing else disturbed. */
const shortest = (sent: string) => {
  let least = Infinity
  for (let round = 0; round < 300; round++) {
    const start = performance.now()
    nameOf(sent)
    least = Math.min(least, performance.now() - start)
  }
  return least
}

describe("An operator's secret", () => {
  test("has its name, and no other text has one", () => {
    assert.strictEqual(nameOf(secretOf(0)), "name-0")
    assert.strictEqual(nameOf(secretOf(499)), "name-499")
    for (const text of ["", secretOf(500), secretOf(1).slice(1), "name-1"]) assert.strictEqual(nameOf(text), undefined)
  })

  test("is found in the time of a wrong one, whichever it is", () => {
    shortest("warm up")
    const [first, last, none] = [shortest(secretOf(0)), shortest(secretOf(499)), shortest("nobody's")]
    assert.isBelow(Math.max(first, last, none) / Math.min(first, last, none), 2)
  })
})
