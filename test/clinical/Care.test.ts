import { assert, test } from "vitest"
import { fixtureRow, placeFor, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "CarePlan/example",
    `Weight management plan | - | Active
Period: until 2017-06-01
Created: 2016-01-01
Description: Manage obesity and weight loss
Intent: Plan
Addresses: Obesity
Goals: Target weight is 160 to 180 lbs.
Activities: Weight Measured (Completed, once per day, Patient's home, Peter James Chalmers): Achieved weight loss to mitigate diabetes risk.; Progressive weight loss; Weight Measured
Care team: Peter James Charlmers Care Plan for Inpatient Encounter
Author: Dr Adam Careful`
  ],
  [
    "hl7-example",
    "CareTeam/example",
    `Peter James Charlmers Care Plan for Inpatient Encounter | - | Active
Period: until 2013-01-01
Category: Encounter-focused care team
Members: Peter James Chalmers (responsiblePerson)
Dorothy Dietician (adviser, for Organization/f001)
Organization: Organization/f001`
  ],
  [
    "hl7-example",
    "Goal/example",
    `Target weight is 160 to 180 lbs. | - | On hold
Started: 2015-04-05
Status since: 2016-02-14
Target: Weight Measured: 160 to 180 lbs, by 2016-04-05
Reason for status: Patient wants to defer weight loss until after honeymoon.
Outcome: Body Weight Measured
Addresses: obesity condition
Category: Dietary
Priority: high
Expressed by: Peter James Chalmers`
  ],
  [
    "hl7-example",
    "Goal/stop-smoking",
    `Stop smoking | - | Completed, Achieved
Started: 2015-04-05
Outcome: Former smoker`
  ],
  [
    "hl7-example",
    "ServiceRequest/benchpress",
    `Bench Press (regime/therapy) | SNOMED CT 229115003 | Active
When: 3 times per week, 20 to 30 times in all
Instruction: Start with 30kg 10-15 repetitions for three sets and increase in increments of 5kg when you feel ready
Intent: Plan`
  ],
  [
    "hl7-example",
    "ServiceRequest/do-not-turn",
    `Turning patient in bed (procedure) | SNOMED CT 359962006 | Active | !Do not perform
Authored: 2017-02-01 17:23:07 UTC
Requested by: Dr Adam Careful
Reason: Patient has a spinal fracture
Priority: Immediately (stat)`
  ],
  [
    "hl7-example",
    "ServiceRequest/physiotherapy",
    `Physiotherapy of chest (regime/therapy) | SNOMED CT 34431008 | Completed
When: 1 to 4 times per day, each lasting 15 to 25 minutes
Authored: 2017-02-01 17:23:07 UTC
As needed: as needed to clear mucus
Requested by: Dr Adam Careful
Reason: Cystic Fibrosis`
  ],
  [
    "hl7-misc",
    "CarePlan/preg",
    `Care plan | - | Active
Period: 2013-01-01 to 2013-10-01
Intent: Plan
Addresses: pregnancy
Goals: Maintain patient's health throughout pregnancy and ensure a healthy child
Activities: Prenatal vitamin MedicationRequest
First Antenatal encounter (Scheduled, 2013-02-14 to 2013-02-28, Mavis Midwife): The first antenatal encounter. This is where a detailed physical examination is performed.             and the pregnanacy discussed with the mother-to-be.
Follow-up Antenatal encounter (Not started, 2013-03-01 to 2013-03-14, Mavis Midwife): The second antenatal encounter. Discuss any issues that arose from the first antenatal encounter
Delivery (Not started, 2013-09-01 to 2013-09-14, Mavis Midwife): The delivery.
Care team: Mavis Midwife, Oscar Obstetrician`
  ],
  [
    "syn-christian753-bruen238",
    "CarePlan/ae74cbc0-3e61-e465-448b-b727fc7abd74",
    `Routine antenatal care | SNOMED CT 134435003 | Completed
Period: 1964-05-13 17:37:24 +01:00 to 1964-12-09 17:37:24 +01:00
Intent: Order
Activities: Antenatal education (Completed, CAPE COD HOSPITAL)
Antenatal risk assessment (Completed, CAPE COD HOSPITAL)
Antenatal blood tests (Completed, CAPE COD HOSPITAL)
Care team: Ms. Christian753 Bruen238, Dr. Tuan998 Fadel536, CAPE COD HOSPITAL`
  ],
  [
    "syn-christian753-bruen238",
    "CareTeam/3fc5944c-7a23-274e-a10b-a42e9c85a809",
    `Care team | - | Inactive
Period: 1964-05-13 17:37:24 +01:00 to 1964-12-09 17:37:24 +01:00
Members: Ms. Christian753 Bruen238 (Patient)
Dr. Tuan998 Fadel536 (Healthcare professional (occupation))
CAPE COD HOSPITAL (Healthcare services (qualifier value))
Reason: Normal pregnancy
Organization: CAPE COD HOSPITAL`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

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
