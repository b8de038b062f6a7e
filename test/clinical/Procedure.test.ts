import { assert, test } from "vitest"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "Procedure/ambulation",
    `Ambulation | SNOMED CT 62013009 | Not done | !Not done
Why not done: Pre-eclampsia
Performed by: Carla Espinosa (for University Medical Hospital)
Location: Burgers University Medical Center, South Wing, second floor
Reason: Blood Pressure`
  ],
  [
    "hl7-example",
    "Procedure/biopsy",
    `Biopsy of suspected melanoma L) arm | SNOMED CT 90105005 | Completed
Performed: 2014-02-03
Performed by: Dr Bert Biopser
Reason: Dark lesion l) forearm. getting darker last 3 months.
Body site: Left forearm
Complication: Ineffective airway clearance
Follow-up: Review in clinic
Used: 30-guage needle
Category: Diagnostic procedure
Note: Standard Biopsy`
  ],
  [
    "hl7-example",
    "Procedure/appendectomy-narrative",
    `Procedure | - | Completed`
  ],
  [
    "syn-christian753-bruen238",
    "Procedure/6f1eacf1-84c0-17f2-cb36-db00a710bc91",
    `Spirometry (procedure) | SNOMED CT 127783003 | Completed
Performed: 2011-07-27 18:37:24 +02:00 to 2011-07-27 18:52:24 +02:00
Location: THE COMMONWEALTH OF MASSACHUSETTS
Reason: Chronic obstructive bronchitis (disorder)`
  ],
  [
    "va-florentino8-raynor401",
    "Procedure/I2-WZJE3GUZGOW22OYPFWA6NYZDDY000000",
    `Documentation of current medications | CPT XXXXX | Completed
Performed: 2009-03-19 12:24:55 UTC
Location: MENTAL HEALTH SERVICES`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

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
