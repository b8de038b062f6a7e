import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

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
