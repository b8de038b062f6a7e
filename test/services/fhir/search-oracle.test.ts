import { assert, beforeAll, describe, test } from "vitest"
import { fhirTypes } from "../../../src/domain/FhirType.ts"
import { parametersOf } from "../../../src/services/fhir/SearchParameters.ts"
import { loadProfiles } from "../../support/FhirProfiles.ts"
import { searchedTexts } from "./SearchedTexts.ts"
import { judge } from "./SearchJudge.ts"
import { searchRows } from "./SearchRows.ts"

beforeAll(loadProfiles)

test("The search parameters are those of the contract's table, with the types of FHIR R4 and US Core", () => {
  const offered = [...fhirTypes].flatMap((resourceType) =>
    Array.from(parametersOf(resourceType), ([name, { kind }]) => ({ resourceType, name, kind }))
  )
  assert.deepStrictEqual(offered, [...searchRows])
})

describe("By HL7's own definitions, an oracle finds the same resources", () => {
  test.each(searchRows)("for $resourceType?$name, in some of the shared records", (row) => {
    const texts = searchedTexts.get(row.resourceType)!
    // The made resources are the last ones.
    const some = texts.filter((_, at) => at % Math.ceil(texts.length / 60) === 0 || at >= texts.length - 15)
    judge(row, some, { count: row.kind === "string" ? 60 : 20, seed: 1 })
  })
})
