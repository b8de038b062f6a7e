import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

test.each([
  ["preparation", "In preparation"],
  ["in-progress", "In progress"],
  ["on-hold", "On hold"],
  ["stopped", "Stopped"],
  ["unknown", "Unknown"],
  ["entered-in-error", "Entered in error | !Entered in error"]
])("a procedure with the status %s shows: %s", (status, words) => {
  assert.strictEqual(
    rowFor({ resourceType: "Procedure", status, code: { text: "Biopsy" } }),
    `Biopsy | - | ${words}`
  )
})
