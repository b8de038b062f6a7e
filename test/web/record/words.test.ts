import { assert, describe, it } from "@effect/vitest"
import { withoutKinds } from "../../../src/clinical/ConceptKinds.ts"
import { summaryOf } from "../../../src/clinical/Reading.ts"
import type { Summary } from "../../../src/clinical/Row.ts"
import { newestOfEach, testOf, trendOf } from "../../../src/clinical/Trend.ts"
import { ageOn, recordedDay, recordedDays } from "../../../web/shared/record/ClinicalDays.ts"
import { folded } from "../../../web/shared/record/Folded.ts"
import { emptyWords, standOf, tagOf, warningsOf, worstOf } from "../../../web/shared/record/glance/Completeness.ts"
import { shortNames } from "../../../web/shared/record/glance/TestNames.ts"
import { indentedJson } from "../../../web/shared/record/items/IndentedJson.ts"
import { unitsInWords } from "../../../web/shared/record/items/Units.ts"
import type { About } from "../../../web/shared/record/Messages.ts"
import { about, section } from "./Abouts.ts"

describe("A recorded date", () => {
  it("A date is shown with the precision with which it was recorded", () => {
    assert.deepStrictEqual(["2026-11-21", "2026-11", "2026", "2026-13", "soon", ""].map(recordedDay), [
      "Nov 21, 2026",
      "Nov 2026",
      "2026",
      "2026-13",
      "soon",
      ""
    ])
    assert.strictEqual(recordedDays("2019-03-15 14:05 -07:00 to 2019-03"), "Mar 15, 2019 14:05 -07:00 to Mar 2019")
    assert.strictEqual(recordedDays("555-12-3456 and 12019-03-15"), "555-12-3456 and 12019-03-15")
  })

  it("Only a full birth date gives an age", () => {
    assert.strictEqual(ageOn("1947-11-22", new Date(2026, 10, 21)), 78)
    assert.strictEqual(ageOn("1947-11-22", new Date(2026, 10, 22)), 79)
    assert.strictEqual(ageOn("1947", new Date(2026, 10, 22)), null)
    assert.strictEqual(ageOn("2947-01-01", new Date(2026, 10, 22)), null)
  })
})

const whole = [section("AllergyIntolerance", "complete"), section("Condition", "complete"),
  section("MedicationRequest", "empty", 0)]

describe("What is not up to date", () => {
  it("There are no warnings if everything is up to date", () => {
    assert.deepStrictEqual(warningsOf(about(whole)), [])
  })

  it("Missing problems, medications and allergies are reported even if the grant leaves them out", () => {
    assert.deepStrictEqual(warningsOf(about([])), [{
      names: "Allergies, medications, and problems",
      text: "were not loaded. This is not the same as “none.” Ask the patient."
    }])
  })

  it("A warning's words come from the alert's code and type, not from its message, and the worst comes first", () => {
    const alerts = [
      {
        resourceType: "Condition",
        code: "record_stale",
        lastCompleteAt: "2026-11-21T12:00:00.000Z",
        message: "Condition: x"
      },
      { resourceType: "Immunization", code: "record_incomplete", lastCompleteAt: null },
      { resourceType: "Observation", code: "last_fetch_incomplete", lastCompleteAt: null }
    ] as const
    const told = warningsOf(about([
      section("AllergyIntolerance", "unknown"),
      section("Condition", "stale"),
      section("Immunization", "partial"),
      section("MedicationRequest", "complete"),
      section("Observation", "complete")
    ], alerts))
    assert.deepStrictEqual(told.map(({ names, text }) => `${names} ${text}`), [
      "Allergies were not loaded. This is not the same as “none.” Ask the patient.",
      "Immunizations are not complete. Do not read a missing item as “none.”",
      "Problems had their last complete update on Nov 21, 2026. The newest update did not finish. Ask the patient about changes since then.",
      "Results and vital signs may miss the latest changes. The newest update did not finish."
    ])
  })

  it("The state of several types is the worst of theirs, and a missing type counts only if it is the first", () => {
    const both = ["MedicationRequest", "MedicationStatement"] as const
    assert.strictEqual(worstOf(about(whole), [...both]).is, "none")
    assert.strictEqual(worstOf(about([...whole, section("MedicationStatement", "complete")]), [...both]).is, "current")
    assert.strictEqual(worstOf(about([section("MedicationStatement", "complete")]), [...both]).is, "missing")
  })

  it("A type that a release leaves out is not in the document, and is never said to be unloaded or up to date", () => {
    const release = (sections: About["sections"]) => ({ ...about(sections), isRelease: true })
    const outside = standOf(release([]), "Condition")
    assert.deepStrictEqual(tagOf(outside), ["Not in this document", "off"])
    assert.strictEqual(
      emptyWords(outside, "Problems"),
      "Problems are not in this document. This is not the same as “none.” Ask the patient."
    )
    assert.deepStrictEqual(
      warningsOf(release([section("Condition", "complete"), section("Goal", "unknown")])).map(({ names, text }) =>
        `${names} ${text}`
      ),
      [
        "Goals were not loaded. This is not the same as “none.” Ask the patient.",
        "Allergies and medications are not in this document. This is not the same as “none.” Ask the patient."
      ]
    )
    const both = ["MedicationRequest", "MedicationStatement"] as const
    assert.strictEqual(worstOf(release([]), [...both]).is, "outside")
    assert.strictEqual(worstOf(release([section("MedicationStatement", "complete")]), [...both]).is, "current")
  })

  it("The date of several types that are up to date is that of the oldest update", () => {
    const both = ["MedicationRequest", "MedicationStatement"] as const
    const old = { ...section("MedicationRequest", "empty", 0), lastCompleteAt: "2025-02-03T12:00:00.000Z" }
    const now = section("MedicationStatement", "complete")
    assert.strictEqual(worstOf(about([old, now]), [...both]).asOf, old.lastCompleteAt)
    const never = { ...now, state: "partial", lastCompleteAt: null } as const
    const alerts = both.map((
      resourceType
    ) => ({ resourceType, code: "record_incomplete", lastCompleteAt: null } as const))
    assert.isNull(worstOf(about([old, never], alerts), [...both]).asOf)
  })

  it("A type is up to date for a week after its last complete update, and later only as of that day", () => {
    const tag = (now: string) => tagOf(standOf(about(whole), "Condition"), new Date(now))
    assert.deepStrictEqual(tag("2026-11-28T12:00:00Z"), ["Up to date", "good"])
    assert.deepStrictEqual(tag("2026-11-28T12:00:01Z"), ["As of Nov 21, 2026", "off"])
  })

  it("A record of some dates is neither up to date nor without items of other dates", () => {
    const stand = standOf({ ...about(whole), isOfRange: true }, "Condition")
    assert.deepStrictEqual(tagOf(stand, new Date("2026-11-21T12:00:00Z")), ["Some dates only", "off"])
    assert.strictEqual(
      emptyWords(stand, "Problems"),
      "No problems of these dates as of Nov 21, 2026. This is not the same as “none.” Ask the patient."
    )
  })

  it("A card without items says whether there are none or they were not loaded", () => {
    const words = (sections: About["sections"], alerts: About["alerts"] = []) =>
      emptyWords(standOf(about(sections, alerts), "Condition"), "Problems")
    assert.strictEqual(words([]), "Problems were not loaded. This is not the same as “none.” Ask the patient.")
    assert.strictEqual(words([section("Condition", "empty", 0)]), "None in this record as of Nov 21, 2026.")
    const never = { ...section("Condition", "empty", 0), lastCompleteAt: null, lastFetchAt: "2026-11-20T12:00:00.000Z" }
    assert.strictEqual(words([{ ...never, lastFetch: "empty" }]), "None in this record as of Nov 20, 2026.")
    assert.strictEqual(
      words([{ ...never, lastFetch: "unavailable" }], [{
        resourceType: "Condition",
        code: "last_fetch_incomplete",
        lastCompleteAt: null
      }]),
      "None in this record. Ask the patient."
    )
    assert.strictEqual(
      words([section("Condition", "stale", 0)], [{
        resourceType: "Condition",
        code: "record_stale",
        lastCompleteAt: null
      }]),
      "None in this record as of Nov 21, 2026. Ask the patient about changes since then."
    )
    assert.strictEqual(
      words([section("Condition", "partial", 0)], [{
        resourceType: "Condition",
        code: "record_incomplete",
        lastCompleteAt: null
      }]),
      "No problems were loaded. Do not read this as “none.” Ask the patient."
    )
    assert.strictEqual(
      emptyWords(standOf(about(whole), "Condition"), "Problems", true),
      "No active problems in this record as of Nov 21, 2026."
    )
  })
})

const results = (
  ...all: ReadonlyArray<readonly [date: string, value: object, more?: object]>
): ReadonlyArray<Summary> =>
  all.map(([effectiveDateTime, value, more], index) =>
    summaryOf(
      "Observation",
      `${index}`,
      JSON.stringify({
        resourceType: "Observation",
        status: "final",
        code: { coding: [{ system: "http://loinc.org", code: "2339-0", display: "Glucose" }] },
        effectiveDateTime,
        ...value,
        ...more
      }),
      () => undefined
    )
  )

const quantity = (value: number, unit = "mg/dL", more: object = {}) => ({ valueQuantity: { value, unit, ...more } })

describe("A trend", () => {
  it("A trend has the numbers of one unit in order of date, and lists the results that it cannot chart", () => {
    const all = results(
      ["2021-06-03", quantity(76.5)],
      ["2020", quantity(80)],
      ["2020-01-02", quantity(4.2, "mmol/L")],
      ["2020-01-03", quantity(40, "mg/dL", { comparator: "<" })],
      ["2020-01-04", { valueString: "normal" }],
      ["", quantity(90)],
      ["2020-01-05", quantity(999), { status: "entered-in-error" }],
      ["2020-01-06", quantity(998), { status: "cancelled" }]
    )
    const trend = trendOf(all, all[0]!)!
    assert.strictEqual(trend.unit, "mg/dL")
    assert.deepStrictEqual(trend.points.map(({ text }) => text), ["80 mg/dL", "76.5 mg/dL"])
    assert.deepStrictEqual(trend.others.map(({ text }) => text), ["normal", "< 40 mg/dL", "4.2 mmol/L", "90 mg/dL"])
    assert.isNull(trendOf(all, all[4]!))
  })

  it("Results with different codes belong to different tests, and a result without a code to none", () => {
    const [coded, other, none] = [
      ...results(["2020", quantity(1)], ["2020", quantity(1), {
        code: { coding: [{ system: "http://loinc.org", code: "4548-4" }] }
      }], ["2020", quantity(1), { code: {} }])
    ]
    assert.notStrictEqual(testOf(coded!), testOf(other!))
    assert.isNull(testOf(none!))
  })

  it("The latest result is the newest one with a value", () => {
    const all = results(
      ["2021", {}],
      ["2020-05", quantity(7)],
      ["2019", quantity(8)],
      ["2022", quantity(9), { status: "entered-in-error" }]
    )
    assert.deepStrictEqual([...newestOfEach(all).values()].map(({ value }) => value), ["7 mg/dL"])
  })
})

describe("Words of the record", () => {
  it("Names of tests are shortened as long as they stay different", () => {
    assert.deepStrictEqual(
      shortNames(["Glucose [Mass/volume] in Serum or Plasma", "Glucose [Presence] in Urine by Test strip",
        "Potassium [Moles/volume] in Blood", "[Mass/volume]"]),
      ["Glucose", "Glucose [Presence] in Urine by Test strip", "Potassium", "[Mass/volume]"]
    )
    assert.deepStrictEqual(shortNames(["Glucose [Mass/volume] in Blood", "Glucose [Mass/volume] in Serum"]), [
      "Glucose [Mass/volume] in Blood",
      "Glucose [Mass/volume] in Serum"
    ])
  })

  it("Units are written as clinicians do, and numbers do not change", () => {
    assert.deepStrictEqual(
      ["135/86 mm[Hg]", "1.00 10*3/uL", "2 {score}", "84 mL/min/{1.73_m2}", "6.0 mg/dL", "3 mg/dL{calc}",
        "ANA {see note 3}"].map(unitsInWords),
      [
        "135/86 mmHg",
        "1.00 ×10³/µL",
        "2",
        "84 mL/min/1.73 m²",
        "6.0 mg/dL",
        "3 mg/dL",
        "ANA {see note 3}"
      ]
    )
  })

  it("The kind of a SNOMED CT concept is left out of its name", () => {
    assert.strictEqual(withoutKinds("Every four hours (qualifier value) (dose 1.0)"), "Every four hours (dose 1.0)")
    assert.strictEqual(withoutKinds("Stroke (disorder)"), "Stroke")
    assert.strictEqual(withoutKinds("Fall (at home)"), "Fall (at home)")
  })

  it("Search ignores case and accents", () => {
    assert.strictEqual(folded("GÉRARD ﬁve Ångström"), "gerard five angstrom")
    assert.strictEqual(folded("Glucose 5.40"), "glucose 5.40")
  })

  it("JSON is indented, and no token changes", () => {
    const json = `{"a":1.00,"b":[],"c":{},"d":["x, {\\"y\\": 1}",-2E+10],"e":{"f":null}}`
    assert.strictEqual(
      indentedJson(json),
      `{\n  "a": 1.00,\n  "b": [],\n  "c": {},\n  "d": [\n    "x, {\\"y\\": 1}",\n    -2E+10\n  ],\n  "e": {\n    "f": null\n  }\n}`
    )
  })
})
