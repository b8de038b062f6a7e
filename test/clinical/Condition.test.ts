import { assert, test } from "vitest"
import { placeFor, rowFor } from "./Rows.ts"

test.each([
  ["active", "1", "Active"],
  ["recurrence", "1", "Active"],
  ["relapse", "1", "Active"],
  [undefined, "2", "Status not recorded"],
  ["inactive", "3", "Inactive"],
  ["remission", "3", "Inactive"],
  ["resolved", "4", "Resolved"]
])("a problem whose clinical status is %s is in group %s, %s", (code, group, groupTitle) => {
  const problem = { resourceType: "Condition", clinicalStatus: { coding: [{ code }] } }
  assert.deepStrictEqual(placeFor(problem), { section: "problems", group, groupTitle })
})

test.each(["refuted", "entered-in-error"])("a problem that is %s is not among the active ones", (code) => {
  const problem = {
    resourceType: "Condition",
    clinicalStatus: { coding: [{ code: "active" }] },
    verificationStatus: { coding: [{ code }] }
  }
  assert.strictEqual(placeFor(problem).groupTitle, "Refuted or entered in error")
})

test("An onset range, an abatement age and a clinical status from before R4 are read", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Condition",
      clinicalStatus: "active",
      code: { text: "Eczema" },
      onsetRange: { low: { value: 3, unit: "years" }, high: { value: 5, unit: "years" } },
      abatementAge: { value: 12, unit: "years" },
      stage: [{ summary: { text: "Stage II" } }],
      note: [{ text: "Flexures", authorString: "Dr. Doe" }]
    }),
    `Eczema | - | Active
Onset: 3 to 5 years
Ended: 12 years
Stage: Stage II
Note: Flexures (Dr. Doe)`
  )
})
