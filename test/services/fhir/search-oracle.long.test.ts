import { assert, beforeAll, test } from "vitest"
import { loadProfiles } from "../../support/FhirProfiles.ts"
import { searchedTexts } from "./SearchedTexts.ts"
import { judge } from "./SearchJudge.ts"
import { searchRows } from "./SearchRows.ts"

beforeAll(loadProfiles)

test.each(searchRows)("An oracle finds the same in all shared records for $resourceType?$name", (row) => {
  const count = row.kind === "string" ? 300 : 20
  assert.isAbove(judge(row, searchedTexts.get(row.resourceType)!, { count, seed: 2 }), 0)
})
