import { assert, beforeAll, describe, test } from "vitest"
import { searchedTexts } from "./SearchedTexts.ts"
import { judge } from "./SearchJudge.ts"
import { loadDefinitions } from "./SearchOracle.ts"
import { searchRows } from "./SearchRows.ts"

beforeAll(loadDefinitions)

describe("By HL7's own definitions, an oracle finds the same resources", () => {
  test.each(searchRows)("for $resourceType?$name, in all shared records", (row) => {
    assert.isAbove(judge(row, searchedTexts.get(row.resourceType)!, { count: 100, seed: 2 }), 0)
  })
})
