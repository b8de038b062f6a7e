import { assert, beforeAll, describe, test } from "vitest"
import { loadProfiles } from "../../support/FhirProfiles.ts"
import { searchedTexts } from "./SearchedTexts.ts"
import { judge } from "./SearchJudge.ts"
import { searchRows } from "./SearchRows.ts"

beforeAll(loadProfiles)

describe("By HL7's own definitions, an oracle finds the same resources", () => {
  test.each(searchRows)("for $resourceType?$name, in all shared records", (row) => {
    const rounds = { count: row.kind === "string" ? 1500 : 50, seed: 2 }
    assert.isAbove(judge(row, searchedTexts.get(row.resourceType)!, rounds), 0)
  })
})
