import { assert, test } from "vitest"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "Immunization/example",
    `Fluvax (Influenza) | urn:oid:1.2.36.1.2001.1005.17 FLUVAX | Completed | !Subpotent
Date: 2013-01-10
Dose: 5 mg
Lot: AAJN11K
Expires: 2015-02-15
Site: left arm
Route: Injection, intramuscular
Manufacturer: Organization/hl7
Given by: Practitioner/example (ordering provider); Practitioner/example (administering provider)
Location: Location/1
Reason: SNOMED CT 429060002 (code without words)
Note: Notes on adminstration of vaccine`
  ],
  [
    "hl7-example",
    "Immunization/notGiven",
    `DTP | CVX 01 | Not given | !Not given
Date: 2013-01-10
Why not given: medical precaution`
  ],
  [
    "hl7-example",
    "Immunization/protocol",
    `Twinrix (HepA/HepB) | CVX 104 | Completed
Date: 2018-06-18
Dose: 5 mg
Dose of series: 1 (2-dose, SNOMED CT 40468003 (code without words)); 2 (3-dose, SNOMED CT 66071002 (code without words))
Lot: PT123F
Expires: 2018-12-15
Site: left arm
Route: Injection, intramuscular
Manufacturer: Organization/hl7
Given by: Practitioner/example (ordering provider); Practitioner/example (administering provider)
Location: Location/1`
  ],
  [
    "syn-christian753-bruen238",
    "Immunization/87ccc093-c055-59f1-d10a-e0b8c2afa45e",
    `Influenza, seasonal, injectable, preservative free | CVX 140 | Completed
Date: 2011-07-27 18:37:24 +02:00
Location: THE COMMONWEALTH OF MASSACHUSETTS`
  ],
  [
    "va-florentino8-raynor401",
    "Immunization/I2-N7A6Q5AU6W5C6O4O7QEDZ3SJXM000000",
    `COVID-19, mRNA, LNP-S, PF, 100 mcg or 50 mcg dose | CVX 207, CVX 213 | Completed
Date: 2020-12-18 12:24:55 UTC
Dose: 0.3 mL
Manufacturer: Moderna US, Inc.
Location: TEM MH PSO TRS IND93EH 2
Note: Dose #1 of 2 of COVID-19, mRNA, LNP-S, PF, 100 mcg/ 0.5 mL dose vaccine administered.`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

test.each([
  [{ doseNumberPositiveInt: 1, seriesDosesPositiveInt: 2 }, "1 of 2"],
  [{ doseNumberString: "Booster", seriesDosesPositiveInt: 1 }, "Booster, series of 1"],
  [{ doseNumberString: "Series 1" }, "Series 1"],
  [{ seriesDosesString: "3" }, "series of 3"],
  [{ series: "Adult", doseNumberPositiveInt: 1 }, "1 (Adult)"]
])("the dose %j of a series is shown as: %s", (protocol, words) => {
  assert.strictEqual(
    rowFor({ resourceType: "Immunization", vaccineCode: { text: "Flu" }, protocolApplied: [protocol] }),
    `Flu | - | -\nDose of series: ${words}`
  )
})

test("A reaction to a vaccine is shown, and a vaccination entered in error is marked", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Immunization",
      status: "entered-in-error",
      vaccineCode: { text: "Flu" },
      occurrenceString: "autumn 2012",
      recorded: "2013",
      reaction: [{ date: "2012-11", detail: { display: "Fever" }, reported: true }]
    }),
    `Flu | - | Entered in error | !Entered in error
Date: autumn 2012
Recorded: 2013
Reaction: Fever (2012-11, self-reported)`
  )
})
