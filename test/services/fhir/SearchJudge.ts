import { Effect } from "effect"
import { assert } from "vitest"
import { itemMatcher } from "../../../src/services/fhir/ListingPlan.ts"
import { searchOf } from "../../../src/services/fhir/Search.ts"
import { atOnce } from "../../../src/services/platform/Pace.ts"
import { seededRandom } from "../../support/Random.ts"
import { escaped, fhirBase, isMatch, questionsOf, valuesIn } from "./SearchOracle.ts"
import type { SearchRow } from "./SearchRows.ts"

const prefixes = ["", "eq", "gt", "ge", "lt", "le", "sa", "eb"]

/** Values that few resources have, or none. */
const others = {
  date: ["2019", "2009-05-06T07:08:09Z", "2021-01"],
  reference: ["none", "Encounter/none", "http://example.org/fhir/Encounter/none"],
  string: ["zzz", "a", "Ö"],
  token: ["none", "http://example.org|", "|final"]
}

/** How many searches are made, and the seed that chooses them. */
interface Rounds {
  readonly count: number
  readonly seed: number
}

/**
 * Compares the service's search with the oracle's, over the texts of all resources of the row's type.
 *
 * @returns how many resources the searches found in all
 */
export const judge = (row: SearchRow, texts: ReadonlyArray<string>, { count, seed }: Rounds): number => {
  const { kind, name, resourceType } = row
  // One resource for each value of the parameter: others with that value have the same result.
  const distinct = [...new Map(texts.map((text) => {
    const values = valuesIn(JSON.parse(text), row)
    return [JSON.stringify(values), { bytes: Buffer.from(text), values }]
  })).values()]
  const questions = [...new Set([
    ...distinct.flatMap(({ values }) => values.flatMap((value) => questionsOf(value, row))),
    ...others[kind]
  ])]
  const random = seededRandom(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)]!
  const some = <A>(make: () => A) => Array.from({ length: pick([1, 1, 2]) }, make)
  let found = 0
  for (let round = 0; round < count; round++) {
    const lists = some(() => some(() => (kind === "date" ? pick(prefixes) : "") + pick(questions)))
    const pairs = lists.map((list) => [name, list.map(escaped).join(",")] as const)
    const { criteria } = Effect.runSync(searchOf(resourceType, pairs, { strict: false, fhirBase }))
    const agrees = itemMatcher(criteria)
    for (const { bytes, values } of distinct) {
      const expected = lists.every((list) => list.some((text) => isMatch(values, row, text)))
      found += Number(expected)
      if (atOnce(agrees(bytes)) !== expected) {
        assert.fail(`${resourceType}?${JSON.stringify(pairs)} finds wrongly: ${JSON.stringify(values)}`)
      }
    }
  }
  return found
}
