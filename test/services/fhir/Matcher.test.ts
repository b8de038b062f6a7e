import { assert, describe, test } from "vitest"
import type { Criterion, WantedToken } from "../../../src/services/fhir/Criterion.ts"
import { matcherOf } from "../../../src/services/fhir/Matcher.ts"
import { type DateParameter, parametersOf, type TokenParameter } from "../../../src/services/fhir/SearchParameters.ts"
import { atOnce } from "../../../src/services/platform/Pace.ts"
import { seededRandom } from "../../support/Random.ts"

const code = parametersOf("Observation").get("code") as TokenParameter

const tokens = (...wanted: ReadonlyArray<WantedToken>): Criterion => ({ kind: "token", parameter: code, wanted })

/** The functions up to `judged` compare each coding with each token, exactly as R4 search (3.1.1.4.10) says. */
const isSame = (a: unknown, b: string) => typeof a === "string" && a.toLowerCase() === b.toLowerCase()

const hasToken = (value: any, { code, system }: WantedToken): boolean => {
  if (typeof value === "string") return !system && code !== undefined && isSame(value, code)
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false
  if (value.coding !== undefined) {
    return [value.coding].flat().some((one) => one !== null && hasToken(one, { code, system }))
  }
  const inSystem = system === undefined || (system === "" ? value.system === undefined : isSame(value.system, system))
  return inSystem && (code === undefined || isSame(value.code, code))
}

const judged = (resource: any, criteria: ReadonlyArray<Criterion>) =>
  criteria.every(({ wanted }) =>
    [resource.code].flat().some((value) =>
      value !== undefined && value !== null && wanted.some((token) => hasToken(value, token as WantedToken))
    )
  )

describe("A matcher", () => {
  test("finds the same as comparing each coding with each token", () => {
    const random = seededRandom(3)
    const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)]!
    const words = ["a", "A", "b", "s|a", "ΑΣ", "ας", "İ", "\"", "\\", "null"]
    const some = <A>(most: number, make: () => A) => Array.from({ length: Math.floor(random() * (most + 1)) }, make)
    const coding = () => ({
      ...random() < 0.7 && { system: pick<unknown>([...words, "", null, 1]) },
      ...random() < 0.8 && { code: pick<unknown>([...words, "", 1, null]) }
    })
    const value = (): unknown =>
      pick([
        () => ({ coding: some(3, coding) }),
        () => ({ coding: coding() }),
        () => ({ coding: [{ coding: some(2, coding) }, null, "a"] }),
        coding,
        () => pick(words),
        () => null,
        () => [coding()]
      ])()
    const token = (): WantedToken => {
      const system = pick([undefined, "", ...words])
      return { system, code: system ? pick([undefined, ...words]) : pick(words) }
    }
    let found = 0
    for (let round = 0; round < 20_000; round++) {
      const resource = { code: pick([value(), some(3, value)]) }
      const criteria = Array.from({ length: 1 + Math.floor(random() * 2) }, () => tokens(token(), ...some(3, token)))
      const expected = judged(resource, criteria)
      found += Number(expected)
      assert.strictEqual(atOnce(matcherOf(criteria)(resource)), expected, JSON.stringify({ resource, criteria }))
    }
    assert.isAbove(found, 500)
  })

  test("reads the values once for all criteria, in short steps", () => {
    const codings = Array.from({ length: 20_000 }, (_, index) => ({ system: "s", code: `c${index}` }))
    const wanted = Array.from(
      { length: 3 },
      (_, at) =>
        tokens(
          ...Array.from(
            { length: 100 },
            (_, index) => ({ system: undefined, code: at === 2 ? `z${index}` : `c${index}` })
          )
        )
    )
    const steps = matcherOf(wanted)({ code: { coding: codings } })
    let [count, step] = [0, steps.next()]
    for (; !step.done; step = steps.next()) count++
    assert.isFalse(step.value)
    assert.strictEqual(count, codings.length)
  })

  test("compares the dates of a resource with all criteria at once", () => {
    const parameter = parametersOf("Goal").get("target-date") as DateParameter
    const date = (first: number): Criterion => ({
      kind: "date",
      parameter,
      wanted: [{ prefix: "eq", range: { first: Date.UTC(first), last: Date.UTC(first + 1) - 1 } }]
    })
    const goal = { target: [{ dueDate: "2020-05-06" }, { dueDate: "2021" }, {}] }
    const found = (...criteria: ReadonlyArray<Criterion>) => atOnce(matcherOf(criteria)(goal))
    assert.deepStrictEqual([found(date(2020), date(2021)), found(date(2020), date(2022)), found(date(2019))], [true,
      false, false])
  })
})
