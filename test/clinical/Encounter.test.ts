import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

test.each([
  ["AMB", "Outpatient"],
  ["EMER", "Emergency"],
  ["IMP", "Inpatient"],
  ["HH", "Home health"],
  ["OBSENC", "Observation"],
  ["VR", "Virtual"],
  ["XX", "v3-ActCode XX (code without words)"]
])("an encounter of class %s is shown as: %s", (code, words) => {
  assert.strictEqual(
    rowFor({
      resourceType: "Encounter",
      status: "onleave",
      class: { system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code }
    }),
    `${words} | - | On leave`
  )
})

test("A visit shows participants with their own times, and where the patient went", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Encounter",
      status: "finished",
      type: [{ text: "Admission" }],
      class: { code: "ACUTE" },
      period: { start: "2020-01-01", end: "2020-01-05" },
      participant: [
        { individual: { display: "Dr. Doe" }, type: [{ text: "attender" }], period: { start: "2020-01-02" } },
        { type: [{ text: "translator" }] }
      ],
      diagnosis: [{ condition: { display: "Pneumonia" }, use: { text: "Discharge diagnosis" } }],
      location: [{ location: { display: "Ward 1" } }, { location: { display: "Ward 1" } }],
      serviceProvider: { display: "Hospital" },
      hospitalization: { dischargeDisposition: { text: "Home" } }
    }),
    `Admission | - | Finished
Period: 2020-01-01 to 2020-01-05
Class: Inpatient, acute
Diagnosis: Pneumonia (Discharge diagnosis)
With: Dr. Doe (attender, since 2020-01-02); translator
Location: Ward 1
Organization: Hospital
Discharged to: Home`
  )
})
