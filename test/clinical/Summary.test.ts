import { assert, describe, it } from "@effect/vitest"
import { entryOf, rowOf, summaryOf } from "../../src/clinical/Reading.ts"
import type { Summary } from "../../src/clinical/Row.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"
import { awkward, recordOf } from "./SharedRecords.ts"

const summary = (
  resource: { readonly resourceType: string },
  titleOf: (reference: string) => string | undefined = () => undefined
) => summaryOf(resource.resourceType, "1", JSON.stringify(resource).replaceAll(/"#(-?\d[^"]*)"/g, "$1"), titleOf)

const result = (more: object): Summary =>
  summary({ resourceType: "Observation", ...{ code: { text: "Glucose" }, status: "final", ...more } })

const pressure = (...parts: ReadonlyArray<readonly [code: string, value: string, more?: object]>) =>
  result({
    component: parts.map(([code, value, more]) => ({
      code: { coding: [{ system: "http://loinc.org", code }] },
      valueQuantity: { value: `#${value}`, unit: "mm[Hg]", ...more }
    }))
  })

describe("A summary", () => {
  it("A summary has the same section, title, status, flags and value as the resource's row", () => {
    for (const patient of ["va-sheba703-harris789", "hl7-example"]) {
      for (const { fhirId, resourceType, text } of recordOf(patient)) {
        const [short, row] = [summaryOf(resourceType, fhirId, text, () => undefined),
          rowOf(resourceType, fhirId, text, () => undefined)]
        assert.deepStrictEqual(short.entry, entryOf(resourceType, fhirId, text))
        assert.deepStrictEqual([short.title, short.status, short.flags], [row.title, row.status, row.flags])
        const parts = row.details.map(({ label, text }) => `${label}: ${text}`)
        const isOneOf = row.details.some(({ text }) => text === short.value)
        // A value may be joined from the components of a result.
        assert.isTrue(
          short.value === null || isOneOf ||
            short.value.split("; ").every((value) => parts.some((part) => part.includes(value))),
          `${short.value}`
        )
      }
    }
  })

  it("A resource that is valid JSON but odd FHIR has a title in its summary", () => {
    for (const { fhirId, resourceType, text } of awkward) {
      assert.isNotEmpty(summaryOf(resourceType, fhirId, text, () => undefined).title)
    }
  })

  it("A summary shows a value, a dose or a reaction with the digits that were sent", () => {
    assert.strictEqual(result({ valueQuantity: { value: "#1.00", unit: "mg/dL" } }).value, "1.00 mg/dL")
    assert.strictEqual(
      summary({ resourceType: "MedicationRequest", ...{ dosageInstruction: [{ text: "1 tablet daily" }] } }).value,
      "1 tablet daily"
    )
    assert.strictEqual(
      summary({ resourceType: "AllergyIntolerance", ...{ reaction: [{ manifestation: [{ text: "Hives" }] }] } }).value,
      "Hives"
    )
    assert.strictEqual(
      result({ dataAbsentReason: { coding: [{ code: "not-performed" }] } }).value,
      "No value because: not-performed (code without words)"
    )
  })

  it("A vaccine's reaction keeps its label in a list, because it would read as the vaccine's value", () => {
    const vaccine = { resourceType: "Immunization", ...{ reaction: [{ detail: { display: "Fever" } }] } }
    assert.strictEqual(summary(vaccine).value, "Reaction: Fever")
  })

  it("Another resource mentions a result or a diagnosis with the words that change its meaning", () => {
    const mention = (resource: { readonly resourceType: string }) => summary(resource).entry.title
    assert.strictEqual(
      mention({ resourceType: "Condition", ...{ code: { text: "Gout" }, verificationStatus: "refuted" } }),
      "Gout (refuted)"
    )
    assert.strictEqual(result({ status: "preliminary", valueString: "5" }).entry.title, "Glucose: 5 (preliminary)")
    assert.strictEqual(result({ status: "final", valueString: "5" }).entry.title, "Glucose: 5")
  })

  it("A reference's own display names a target without a name, and no other", () => {
    const encounter = (target: object) =>
      rowOf(
        "Encounter",
        "1",
        JSON.stringify({
          contained: [{ resourceType: "Condition", id: "c", ...target }],
          reasonReference: [{ reference: "#c", display: "Sore throat" }]
        }),
        () => undefined
      ).details
    assert.deepStrictEqual(encounter({}), [{ label: "Reason", text: "Sore throat" }])
    assert.deepStrictEqual(encounter({ code: { text: "Tonsillitis" } }), [{ label: "Reason", text: "Tonsillitis" }])
  })

  it("A summary is marked as unnamed until the resource that gives its title has arrived", () => {
    const request = { resourceType: "MedicationRequest", medicationReference: { reference: "Medication/m" } }
    assert.strictEqual(summary(request).isNamed, false)
    const titleOf = titlesOf([{ reference: "Medication/m", title: "Lisinopril 10 mg" }])
    assert.deepInclude(summary(request, titleOf), { isNamed: true, title: "Lisinopril 10 mg" })
    assert.strictEqual(summary({ resourceType: "Condition" }).isNamed, true)
    const contained = {
      resourceType: "MedicationRequest",
      contained: [{ resourceType: "Medication", id: "m", code: { text: "Aspirin" } }],
      medicationReference: { reference: "#m" }
    }
    assert.deepInclude(summary(contained), { isNamed: true, title: "Aspirin" })
  })
})

describe("A measurement", () => {
  it("A measurement is the numeric value of a result, with its unit", () => {
    assert.deepStrictEqual(result({ valueQuantity: { value: "#5.40", unit: "mmol/L" } }).measurement, {
      unit: "mmol/L",
      values: [5.4]
    })
    assert.deepStrictEqual(result({ valueQuantity: { value: "#7", code: "1" } }).measurement, {
      unit: null,
      values: [7]
    })
  })

  it("A result has no measurement unless its value is a finite number without a comparator", () => {
    assert.isNull(result({ valueQuantity: { value: "#5", comparator: "<", unit: "mmol/L" } }).measurement)
    assert.isNull(result({ valueString: "5" }).measurement)
    assert.isNull(result({ valueQuantity: { unit: "mmol/L" } }).measurement)
    assert.isNull(result({ valueQuantity: { value: "#1E+999", unit: "mmol/L" } }).measurement)
    assert.isNull(result({ valueQuantity: { value: "high" } }).measurement)
    assert.isNull(summary({ resourceType: "Condition" }).measurement)
  })

  it("A blood pressure has the systolic value first, for any order of its components", () => {
    const expected = { unit: "mm[Hg]", values: [135, 86] }
    assert.deepStrictEqual(pressure(["8480-6", "135"], ["8462-4", "86"]).measurement, expected)
    const turned = pressure(["8462-4", "86"], ["8480-6", "135"])
    assert.deepStrictEqual([turned.measurement, turned.value], [expected, "135/86 mm[Hg]"])
    assert.isNull(pressure(["8480-6", "135"]).measurement)
    assert.isNull(pressure(["8480-6", "135"], ["8462-4", "86", { unit: "kPa" }]).measurement)
  })
})
