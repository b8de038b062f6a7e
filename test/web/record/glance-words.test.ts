import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { askingFor } from "../../../web/shared/record/Deceased.ts"
import { numbersApart, roundedFigures } from "../../../web/shared/record/Figures.ts"
import { standOf } from "../../../web/shared/record/glance/Completeness.ts"
import { detailWords, doseWords } from "../../../web/shared/record/glance/ItemWords.ts"
import { trendWords } from "../../../web/shared/record/glance/TrendWords.ts"

describe("A value in the first glance", () => {
  it("A value of more than six digits is rounded and says so", () => {
    assert.deepStrictEqual(
      [
        "66.899999999999991 in",
        "135.33333333/86.66666667 mmHg",
        "70.0 to 110.1234567 mg/dL",
        "< 0.00123456789 ng/mL",
        "at least 3.50000001",
        "1234567 copies/mL",
        "1.00000000",
        "-1.000000000000000000E+245"
      ].map(roundedFigures),
      [
        "about 66.9 in",
        "about 135.333/86.6667 mmHg",
        "70.0 to about 110.123 mg/dL",
        "< about 0.00123457 ng/mL",
        "at least about 3.5",
        "about 1234570 copies/mL",
        "about 1",
        "about -1e+245"
      ]
    )
  })

  it("A short value, a code and a sentence stay as they were sent", () => {
    for (
      const text of [
        "1.00",
        "120/80 mmHg",
        "1500000 /uL",
        "12345678",
        "0.000000000 mg",
        "1.23456789e999 mg",
        "555-12-34567890",
        "Accession 123456789",
        "2.16.840.1.113883",
        "See report 12345678.9 of 2020",
        ""
      ]
    ) assert.strictEqual(roundedFigures(text), text)
  })

  it.prop("Any text keeps its letters", [Schema.String], ([text]) => {
    assert.strictEqual(numbersApart(text).join(""), text)
  })

  it.prop(
    "A rounded number differs by less than a hundred-thousandth",
    [Schema.Finite.check(Schema.isBetween({ minimum: 1e-6, maximum: 1e12 }))],
    ([value]) => {
      const shown = Number(roundedFigures(`${value} mg`).replace(/^about /, "").replace(" mg", ""))
      assert.isAtMost(Math.abs(shown - value), value * 1e-5)
    }
  )

  it("A trend is told as its number of values, their range and the last step", () => {
    const words = (spark: ReadonlyArray<number>, value = "1 mg") => trendWords({ spark, value })
    assert.strictEqual(words([]), "No trend")
    assert.strictEqual(words([5]), "1 value")
    assert.strictEqual(words([5, 7.1234567]), "2 values, 5 to 7.12346, last up")
    assert.strictEqual(words([3.5, 0.6, 0.6]), "3 values, 0.6 to 3.5, last the same")
    assert.strictEqual(words([4, 4]), "2 values, all 4, last the same")
    assert.strictEqual(words([120, 118], "118/70 mmHg"), "2 systolic values, 118 to 120, last down")
    assert.strictEqual(words(Array.from({ length: 12 }, (_, n) => n)), "newest 12 values, 0 to 11, last up")
  })
})

describe("An item in the first glance", () => {
  const item = { key: 1, title: "x", detail: null, date: null, hasStatus: true, entries: 2, flags: [] }

  it("An item that is recorded twice says so", () => {
    assert.strictEqual(
      detailWords({ ...item, date: { label: "Onset", text: "2020-01-02" } }),
      "since Jan 2, 2020; 2 entries"
    )
    assert.strictEqual(doseWords({ ...item, detail: "1 tablet daily.", entries: 3 }), "1 tablet daily; 3 entries")
    assert.strictEqual(doseWords({ ...item, entries: 1 }), "No dose recorded")
  })
})

describe("What is known of a type and a patient", () => {
  it("A type without items is known as of the day on which the source said so", () => {
    const stand = (lastFetch: string | null, lastFetchAt: string | null) =>
      standOf({
        isOfRange: false,
        alerts: [],
        sections: [{
          resourceType: "Condition",
          state: "empty",
          lastFetch,
          lastFetchAt,
          lastCompleteAt: null,
          itemCount: 0
        }]
      }, "Condition").asOf
    assert.strictEqual(stand("empty", "2026-11-21T12:00:00.000Z"), "2026-11-21T12:00:00.000Z")
    // A later update that failed does not confirm it.
    assert.isNull(stand("unavailable", "2026-11-22T12:00:00.000Z"))
    assert.isNull(stand(null, null))
  })

  it("Nobody is told to ask a patient who died", () => {
    const person = (flags: ReadonlyArray<string>) => ({ name: "", born: null, sex: null, died: null, flags })
    const sentence = "It is late. Ask the patient about changes."
    assert.strictEqual(askingFor(null)(sentence), sentence)
    assert.strictEqual(askingFor(person([]))(sentence), sentence)
    assert.strictEqual(
      askingFor(person(["Deceased"]))(sentence),
      "It is late. Ask the family or the sender about changes."
    )
  })
})
