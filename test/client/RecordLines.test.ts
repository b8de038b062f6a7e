import { assert, describe, test } from "vitest"
import { recordLines } from "../../src/client/RecordLines.ts"

const condition = (id: string, onsetDateTime: string, text: string) => ({
  resourceType: "Condition",
  fhirId: id,
  text: JSON.stringify({ resourceType: "Condition", id, onsetDateTime, code: { text } })
})

describe("recordLines", () => {
  test("shows the first rows of each section and how many more there are", () => {
    const items = [
      condition("a", "2019-03", "Asthma"),
      condition("b", "2021", "Gout"),
      condition("c", "2018-01-02", "Rash"),
      {
        resourceType: "Observation",
        fhirId: "o",
        text: `{"resourceType":"Observation","id":"o","status":"final","effectiveDateTime":"2020-05-06",` +
          `"category":[{"coding":[{"code":"laboratory"}]}],"code":{"text":"Glucose"},` +
          `"valueQuantity":{"value":1.00,"unit":"mmol/L"}}`
      }
    ]
    assert.deepStrictEqual([...recordLines(items, 2)], [
      "Problems: 3",
      "  2021 | Gout",
      "  2019-03 | Asthma",
      "  ... and 1 more",
      "Laboratory: 1",
      "  2020-05-06 | Glucose | Final | Value: 1.00 mmol/L"
    ])
  })

  test("shows a text from outside in one short line, without characters that control a terminal", () => {
    const [, row] = recordLines([condition("a", "2019", `\u001b[31mred\u0007\r\n\u2028${"é𝒳".repeat(200)}`)], 1)
    assert.match(row!, /^ {2}2019 \| {2}\[31mred (é𝒳)+é?\.\.\.$/u)
    assert.lengthOf([...row!], 110)
  })

  test("shows nothing for an empty record", () => {
    assert.deepStrictEqual([...recordLines([], 3)], [])
  })
})
