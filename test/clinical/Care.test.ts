import { assert, test } from "vitest"
import { placeFor, rowFor } from "./Rows.ts"

test("Plans, teams, goals and requests have separate headings", () => {
  assert.deepStrictEqual(
    ["CarePlan", "CareTeam", "Goal", "ServiceRequest"].map((resourceType) => placeFor({ resourceType }).groupTitle),
    ["Care plans", "Care teams", "Goals", "Service requests"]
  )
})

test("A goal entered in error is marked, and shows its measured target", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Goal",
      lifecycleStatus: "entered-in-error",
      description: { text: "Walk" },
      target: [{ measure: { text: "Steps" }, detailQuantity: { value: 5000, unit: "steps" }, dueDate: "2020" }]
    }),
    `Walk | - | Entered in error | !Entered in error
Target: Steps: 5000 steps, by 2020`
  )
})

test("An activity that must not be done says so", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "CarePlan",
      title: "Recovery",
      status: "revoked",
      intent: "proposal",
      activity: [{
        detail: { code: { text: "Lifting" }, doNotPerform: true, status: "not-started", description: "Nothing heavy" },
        progress: [{ text: "Kept", time: "2020-02" }]
      }]
    }),
    `Recovery | - | Revoked | !Proposal
Intent: Proposal
Activities: Not to be done: Lifting (Not started): Nothing heavy; Kept (2020-02)`
  )
})
