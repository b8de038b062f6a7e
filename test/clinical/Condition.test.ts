import { assert, test } from "vitest"
import { fixtureRow, placeFor, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "Condition/example",
    `Burnt Ear | SNOMED CT 39065001 | Active, Confirmed | !Severe
Onset: 2012-05-24
Severity: Severe
Body site: Left Ear
Category: Encounter Diagnosis`
  ],
  [
    "hl7-example",
    "Condition/example2",
    `Asthma | - | Active, Confirmed
Onset: approximately November 2012
Severity: Mild
Category: Problem List Item`
  ],
  [
    "syn-christian753-bruen238",
    "Condition/94f39533-de22-2fcf-7b9c-5da84545c5c5",
    `Hypoxemia (disorder) | SNOMED CT 389087006 | Active, Confirmed
Onset: 2020-03-06 18:44:56 +01:00
Recorded: 2020-03-06 18:44:56 +01:00
Category: Encounter Diagnosis`
  ],
  [
    "va-florentino8-raynor401",
    "Condition/I2-LBGN4FGCN6ENTBMUOS52YXQWHU000000",
    `Seasonal allergic rhinitis | SNOMED CT 367498001 | Active, Provisional | !Provisional
Onset: 1953-04-12 12:24:55 UTC
Recorded: 1953-04-12
Category: Encounter Diagnosis
Recorded by: DR. JANE460 DOE922 MD`
  ],
  [
    "va-mock-986297",
    "Condition/condition5",
    `OTHER SPECIFIED COUNSELING | SNOMED CT *Missing*, ICD-9-CM V65.49 | Active
Onset: 2023-01-16 17:00 UTC
Recorded: 2023-01-16
Category: Encounter Diagnosis
Asserted by: ASSERTER, MARY Y`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

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
