import { assert, test } from "vitest"
import { placeFor, rowFor } from "./Rows.ts"

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
