import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

const instance = [{ uid: "1.2.840.1.1", number: 1, sopClass: { code: "1.2.840.10008.5.1.4.1.1.2" } }]

test("An imaging study is named by what was done, and counts its pictures instead of listing them", () => {
  const row = rowFor({
    resourceType: "ImagingStudy",
    id: "1",
    status: "available",
    started: "2019-03-13T10:00:00Z",
    procedureCode: [{ text: "CT of chest" }],
    numberOfSeries: 1,
    numberOfInstances: 357,
    series: [{
      uid: "1.2.840.1",
      number: 1,
      modality: { display: "Computed Tomography" },
      numberOfInstances: 357,
      instance
    }]
  })
  assert.strictEqual(
    row,
    "CT of chest | - | Available\nStarted: 2019-03-13 10:00 UTC\nNumber of series: 1\nNumber of instances: 357\n" +
      "Series: Number 1, Modality Computed Tomography, Number of instances 357"
  )
})

test.each([
  [{ series: "none" }, "Imaging study"],
  [{ series: [null, 7], description: "Chest" }, "Chest"],
  [{ modality: [{ display: "Ultrasound" }] }, "Ultrasound"]
])("An imaging study may have anything in its members: %j", (members, title) => {
  assert.strictEqual(rowFor({ resourceType: "ImagingStudy", ...members }).split(" | ")[0], title)
})
