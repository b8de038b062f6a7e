import { Effect } from "effect"
import { assert, describe, test } from "vitest"
import type { InvalidRequest } from "../../../src/domain/Errors.ts"
import type { Criterion } from "../../../src/services/fhir/Criterion.ts"
import { matcherOf } from "../../../src/services/fhir/Matcher.ts"
import { everythingOf, searchOf } from "../../../src/services/fhir/Search.ts"
import { atOnce } from "../../../src/services/platform/Pace.ts"

const lenient = { strict: false, fhirBase: "https://records.example/api/fhir/R4" }

const strict = { ...lenient, strict: true }

const criteriaOf = (type: string, pairs: ReadonlyArray<readonly [string, string]>) =>
  Effect.runSync(searchOf(type, pairs, lenient)).criteria

const matches = (resource: unknown, ...criteria: ReadonlyArray<Criterion>) => atOnce(matcherOf(criteria)(resource))

/** The message with which a search is refused. */
const refusalOf = <A>(search: Effect.Effect<A, InvalidRequest>) =>
  Effect.runSync(Effect.match(search, { onFailure: ({ issues }) => issues[0]!.message, onSuccess: () => "none" }))

const times = (count: number, value: string) => Array.from({ length: count }, () => value).join(",")

describe("A search of a type", () => {
  test("for a month finds only the dates in it", () => {
    const [, february] = criteriaOf("Condition", [["onset-date", "2019-02"], ["onset-date", "2019-02-28"]])
    assert.isTrue(matches({ onsetDateTime: "2019-02-28T23:59:59Z" }, february!))
    assert.isFalse(matches({ onsetDateTime: "2019-03-01" }, criteriaOf("Condition", [["onset-date", "2019-02"]])[0]!))
  })

  test.each([
    ["Observation", "date", "yesterday"],
    ["Observation", "date", "2019-02-30"],
    ["Observation", "date", "ne2019"],
    ["Observation", "date", "2019,"],
    ["Observation", "code", ""],
    ["Observation", "code", "|"],
    ["Observation", "_count", "1001"],
    ["Observation", "_count", "-1"],
    ["Observation", "_id", ""],
    ["Observation", "_lastUpdated", "soon"],
    ["Observation", "patient", ""],
    ["Condition", "encounter", ""],
    ["Condition", "encounter", "an encounter"],
    ["Condition", "encounter", "Encounter/"],
    ["Condition", "encounter", "a1,"],
    ["Encounter", "identifier", "|"],
    ["Patient", "name", ""],
    ["Patient", "name", " - "],
    ["Patient", "birthdate", "1950-02-30"]
  ])("of %s refuses %s=%s", (type, name, value) => {
    const refused = Effect.runSync(Effect.flip(searchOf(type, [[name, value]], lenient)))
    assert.deepStrictEqual(refused.issues.map(({ path }) => path), [[name]])
    assert.strictEqual(value.length > 1 && JSON.stringify(refused.issues).includes(value), false)
  })

  test.each([
    ["Condition", "encounter", "Encounter/", "Expected references, each as 'id', 'Type/id' or a URL"],
    ["Patient", "name", "-", "Expected texts, each with a letter or a digit"]
  ])("of %s says what it expects instead of %s=%s", (type, name, value, words) => {
    assert.strictEqual(refusalOf(searchOf(type, [[name, value]], lenient)), words)
  })

  test.each(["_elements", "_has:Observation:patient:code", "subject.name", "subject.name:exact", "value-quantity",
    "Code:in"])(
      "ignores %s unless handling is strict, and says so",
      (name) => {
        const pairs = [[name, "x"], ["status", "final"], [name, "y"], ["_format", "json"]] as const
        const { criteria, ignored, understood } = Effect.runSync(searchOf("Observation", pairs, lenient))
        assert.deepStrictEqual([criteria.length, understood, ignored], [1, [["status", "final"]], [name]])
        const refused = Effect.runSync(Effect.flip(searchOf("Observation", [[name, "x"]], strict)))
        assert.deepStrictEqual(refused.issues.map(({ path }) => path), [[name]])
        const everything = Effect.runSync(everythingOf([[name, "x"], ["_type", "Goal"]], false))
        assert.deepStrictEqual([everything.understood, everything.ignored], [[["_type", "Goal"]], [name]])
      }
    )

  test.each([
    ["Observation", "code:in"],
    ["Observation", "status:not"],
    ["Observation", "date:missing"],
    ["Observation", "_id:not"],
    ["Observation", "_lastUpdated:missing"],
    ["Observation", "_count:x"],
    ["Observation", "_summary:x"],
    ["Observation", "_include:iterate"],
    ["Observation", "_format:x"],
    ["Observation", "patient:Patient"],
    ["Observation", "subject:identifier"],
    ["Observation", "subject:Patient.name"],
    ["Condition", "encounter:Encounter"],
    ["Patient", "name:exact"],
    ["Patient", "family:"],
    ["QuestionnaireResponse", "questionnaire:below"]
  ])("of %s refuses the modifier in %s, in both handlings", (type, name) => {
    for (const handling of [lenient, strict]) {
      const refused = Effect.runSync(Effect.flip(searchOf(type, [["_count", "1"], [name, "secret"]], handling)))
      assert.deepStrictEqual(refused.issues, [{
        path: [name],
        message: "No modifier of a parameter is supported here"
      }])
    }
  })

  test("reads escaped commas and bars as characters", () => {
    const [criterion] = criteriaOf("Observation", [["code", "a\\,b\\|c"]])
    assert.isTrue(matches({ code: { coding: [{ code: "a,b|c" }] } }, criterion!))
    assert.isFalse(matches({ code: { coding: [{ code: "a" }] } }, criterion!))
  })
  test("has at most 100 parameters, like $everything", () => {
    const pairs = (count: number) => Array.from({ length: count }, () => ["x", "y"] as const)
    const refusals = [100, 101].map((count) => [
      refusalOf(searchOf("Observation", pairs(count), lenient)),
      refusalOf(everythingOf(pairs(count), false))
    ])
    const words = "Expected at most 100 parameters"
    assert.deepStrictEqual(refusals, [["none", "none"], [words, words]])
  })

  const manyValues = "Expected at most 300 values in all lists together"

  test.each<readonly [type: string, pairs: ReadonlyArray<readonly [name: string, value: string]>]>([
    ["Observation", [["code", times(100, "z")], ["code", times(100, "z")], ["status", times(100, "final")]]],
    ["Observation", [["_lastUpdated", times(300, "ge2020")]]],
    ["Observation", [["_id", times(299, "a")], ["patient", "Patient/1"]]],
    ["Condition", [["encounter", times(300, "e")]]],
    ["Patient", [["name", times(300, "n")]]]
  ])("of %s has at most 300 values in all its lists together", (type, pairs) => {
    assert.strictEqual(refusalOf(searchOf(type, pairs, lenient)), "none")
    assert.strictEqual(refusalOf(searchOf(type, [...pairs, ["_id", "x"]], lenient)), manyValues)
  })

  test("has the same limit of values in the types of $everything", () => {
    assert.strictEqual(refusalOf(everythingOf([["_type", times(301, "Goal")]], false)), manyValues)
  })

  test("has dates of at most 40 characters, with a plus sign that was not encoded", () => {
    const since = (date: string) => refusalOf(searchOf("Observation", [["_lastUpdated", date]], lenient))
    const longest = `ge2020-01-01T00:00:00.${"0".repeat(11)}+05:00`
    assert.deepStrictEqual([longest, "ge2020-01-01T00:00 05:00"].map(since), ["none", "none"])
    for (const date of [longest.replace(".", ".00000"), " ".repeat(15_000), `2020T${" T".repeat(7000)}`]) {
      assert.match(
        since(date),
        /^Expected dates of FHIR, each with one of the prefixes eq, gt, ge, lt, le, sa, eb or none/
      )
    }
  })
})
