import { assert, describe, test } from "vitest"
import { beginsWith, readingsOf, startsOf } from "../../../src/services/fhir/NameReadings.ts"
import { seededRandom } from "../../support/Random.ts"

describe("The reading of a name", () => {
  test.each([
    ["José", "jose"],
    ["O’Brien", "obrien"],
    ["  van\t der  Berg ", "van der berg"],
    ["ŁUKASZ Groß", "lukasz gross"],
    ["ΑΣ", "ας"],
    ["Ｗｉｄｅ", "wide"],
    ["İnönü", "inonu"],
    ["ﬁnch", "FINCH"]
  ])("is the same for %s and %s", (one, other) => {
    assert.deepStrictEqual(readingsOf(one), readingsOf(other))
  })

  test("ignores a dash, or takes it for a space", () => {
    assert.deepStrictEqual(readingsOf("Smith-Jones"), ["smithjones", "smith jones"])
  })

  test.each(["", " ", "-", "\u0301", "`'", ".".repeat(5000), `${" ".repeat(5000)}a`])("is missing for %j", (text) => {
    assert.isUndefined(readingsOf(text))
  })

  test("holds no more than the first 200 characters and the first 32 words", () => {
    assert.deepStrictEqual(readingsOf("a".repeat(1_000_000)), ["a".repeat(200), "a".repeat(200)])
    assert.deepStrictEqual([...startsOf("a b c", true)], [0, 2, 4])
    assert.deepStrictEqual([...startsOf("a b c", false)], [0])
    assert.strictEqual([...startsOf("a ".repeat(100), true)].length, 32)
  })
})

test("A text is found to begin with one of many texts, as if each were tried", () => {
  const random = seededRandom(5)
  const word = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => random() < 0.6 ? "a" : "b").join("")
  for (let round = 0; round < 5000; round++) {
    const wanted = Array.from({ length: 1 + Math.floor(random() * 6) }, word)
    const text = word() + word()
    const expected = wanted.some((one) => text.startsWith(one))
    assert.strictEqual(beginsWith(wanted)(text), expected, JSON.stringify({ wanted, text }))
  }
})
