import { assert, describe, it } from "@effect/vitest"
import { doseWords, sinceWords } from "../../src/clinical/GlanceWords.ts"

describe("The words of an item in the first glance", () => {
  it.each([
    ["Onset", "2019-03", "since 2019-03"],
    ["Onset", "2019-03-15 14:05 -07:00", "since 2019-03-15"],
    ["Authored", "2019-03-15 14:05:06.789 UTC", "ordered 2019-03-15"],
    ["Onset", "12 years", "onset 12 years"],
    ["Onset", "since 2019", "onset since 2019"],
    ["Onset", "2019-03-15 14:05 UTC to 2020-03-18", "onset 2019-03-15 to 2020-03-18"],
    ["Date", "2019-03-15 14:05 +01:00 to 2019-03-15 18:05 +01:00", "date 2019-03-15"],
    ["Onset", "approximately November 2012", "onset approximately November 2012"],
    ["Recorded", "2020-05-01", "recorded 2020-05-01"]
  ])("A date “%s: %s” is told as “%s”", (label, text, words) => {
    assert.strictEqual(sinceWords({ label, text }), words)
  })

  it("A dose loses its one full stop, because more text follows it", () => {
    assert.deepStrictEqual(["One tablet daily.", "1 tab p.o. daily.", null].map(doseWords), [
      "One tablet daily",
      "1 tab p.o. daily.",
      "No dose recorded"
    ])
  })
})
