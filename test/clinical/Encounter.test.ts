import { assert, test } from "vitest"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "Encounter/emerg",
    `inpatient encounter | - | In progress
Period: since 2017-02-01 07:15 +10:00
Location: Emergency Waiting Room; Emergency; Ward 1, Room 42, Bed 1
Admitted from: From accident/emergency department`
  ],
  [
    "hl7-example",
    "Encounter/home",
    `home health | - | Finished
Period: 2015-01-17 16:00 +10:00 to 2015-01-17 16:30 +10:00
With: Dr Adam Careful
Location: Client's home`
  ],
  [
    "syn-christian753-bruen238",
    "Encounter/7cee620d-5954-5ed5-f35d-dabea33eb393",
    `Hospital admission for isolation (procedure) | SNOMED CT 1505002 | Finished
Period: 2020-03-06 18:22:38 +01:00 to 2020-03-15 18:44:56 +01:00
Class: Inpatient
Reason: COVID-19
With: Dr. Tuan998 Fadel536
Location: CAPE COD HOSPITAL`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

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
