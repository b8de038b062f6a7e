import { assert, test } from "vitest"
import { fixtureRow, placeFor, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "AllergyIntolerance/example",
    `Cashew nuts | SNOMED CT 227493005 | Active, Confirmed | !Severe | !High criticality
Onset: 2004
Recorded: 2014-10-09 14:58 +11:00
Last occurrence: 2012-06
Reaction: Anaphylactic reaction (severe, 2012-06-12, cashew nut allergenic extract Injectable Product, Subcutaneous route): Challenge Protocol. Severe reaction to subcutaneous cashew extract. Epinephrine administered
Urticaria (moderate, 2004): The patient reports that the onset of urticaria was within 15 minutes of eating cashews.
Criticality: High
Kind: Allergy, Food
Recorded by: Practitioner/example
Note: The criticality is high becasue of the observed anaphylactic reaction when challenged with cashew extract.`
  ],
  [
    "hl7-example",
    "AllergyIntolerance/medication",
    `Penicillin G | RxNorm 7980 | Active, Unconfirmed | !Unconfirmed | !High criticality
Recorded: 2010-03-01
Reaction: Hives
Criticality: High
Kind: Medication
Recorded by: Practitioner/13`
  ],
  [
    "syn-elisa944-johnson679",
    "AllergyIntolerance/1e4c4ad8-677b-2ddc-8fb7-44ad5b7c2aa9",
    `Tree nut (substance) | SNOMED CT 442571000124108 | Active, Confirmed
Recorded: 1928-11-23 17:58:16 -05:00
Reaction: Wheal (finding)
Dyspnea (finding)
Eruption of skin (disorder)
Finding of vomiting (finding)
Anaphylaxis (disorder)
Allergic angioedema (disorder)
Itching (finding)
Criticality: Low
Kind: Allergy, Food`
  ],
  [
    "syn-elisa944-johnson679",
    "AllergyIntolerance/892104ca-c23c-263c-383a-dfe68be18c4a",
    `Sulfamethoxazole / Trimethoprim | RxNorm 10831 | Active, Confirmed
Recorded: 1928-11-23 17:58:16 -05:00
Reaction: Wheal (finding)
Eruption of skin (disorder)
Criticality: Low
Kind: Allergy, Medication`
  ],
  [
    "syn-elisa944-johnson679",
    "AllergyIntolerance/a6c8bf6d-fd5d-d991-1fab-b961319a682a",
    `Mold (organism) | SNOMED CT 84489001 | Active, Confirmed
Recorded: 1928-11-23 17:58:16 -05:00
Reaction: Nose running
Criticality: Low
Kind: Allergy, Environment`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

const penicillin = { resourceType: "AllergyIntolerance", code: { text: "Penicillin" } }

test.each([
  ["refuted", "Penicillin | - | Refuted | !Refuted"],
  ["entered-in-error", "Penicillin | - | Entered in error | !Entered in error"]
])("an allergy that is %s says so", (code, row) => {
  assert.strictEqual(rowFor({ ...penicillin, verificationStatus: { coding: [{ code }] } }), row)
})

test("An allergy of unknown criticality shows the substance of its reaction", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "AllergyIntolerance",
      criticality: "unable-to-assess",
      onsetAge: { value: 7, unit: "years" },
      reaction: [{ severity: "mild", substance: { text: "Latex" } }]
    }),
    `Latex | - | -
Onset: 7 years
Reaction: (mild, Latex)
Criticality: Unable to assess`
  )
})

test("Past allergies come after the current ones", () => {
  const group = (clinical: string, verification: string) =>
    placeFor({
      ...penicillin,
      clinicalStatus: { coding: [{ code: clinical }] },
      verificationStatus: { coding: [{ code: verification }] }
    }).group
  assert.deepStrictEqual([group("active", "unconfirmed"), group("", "")], ["1", "1"])
  assert.deepStrictEqual(
    [group("inactive", "confirmed"), group("resolved", "confirmed"), group("active", "refuted")],
    ["2", "2", "2"]
  )
})
