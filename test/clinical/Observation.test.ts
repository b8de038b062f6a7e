import { assert, describe, it } from "@effect/vitest"
import { rowOf } from "../../src/clinical/Reading.ts"
import type { Row } from "../../src/clinical/Row.ts"
import { read, type RecordItem } from "../../src/clinical/Sections.ts"

const loinc = (code: string, display?: string) => ({ coding: [{ system: "http://loinc.org", code, display }] })

const category = (
  code: string
) => [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/observation-category", code }] }]

const item = (
  resource: { readonly resourceType: string; readonly id: string; readonly [member: string]: unknown },
  ...numbers: ReadonlyArray<string>
): RecordItem => {
  // JSON.stringify would change the digits of numbers, so the tests write "#0" and "#1", which are replaced here.
  const text = numbers.reduce((json, number, index) => json.replaceAll(`"#${index}"`, number), JSON.stringify(resource))
  return { resourceType: resource.resourceType, fhirId: resource.id, text }
}

const rowsOf = (items: ReadonlyArray<RecordItem>): ReadonlyArray<Row> =>
  read(items).flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))

const rowOfItem = ({ fhirId, resourceType, text }: RecordItem) => rowOf(resourceType, fhirId, text, () => undefined)

const detailsOf = (row: Row) => Object.fromEntries(row.details.map(({ label, text }) => [label, text]))

const pressure = (code: string, value: string, more: object = {}) => ({
  code: loinc(code, code === "8480-6" ? "Systolic" : "Diastolic"),
  valueQuantity: { value, unit: "mm[Hg]" },
  ...more
})

const bloodPressure = (component: ReadonlyArray<object>, more: object = {}) => ({
  resourceType: "Observation",
  id: "bp",
  category: category("vital-signs"),
  code: { text: "Blood pressure" },
  component,
  ...more
})

describe("A result", () => {
  it("The row starts with value, reference range and interpretation, and keeps the digits that were sent", () => {
    const row = rowOfItem(item(
      {
        resourceType: "Observation",
        id: "1",
        status: "amended",
        category: category("laboratory"),
        code: loinc("2339-0", "Glucose"),
        effectiveDateTime: "2019-03-15T14:05:00-07:00",
        issued: "2019-03-16T08:00:00Z",
        valueQuantity: { value: "#0", unit: "mg/dL" },
        interpretation: [{ coding: [{ code: "HH" }] }],
        referenceRange: [{
          low: { value: "#1", unit: "mg/dL" },
          high: { value: 110, unit: "mg/dL" },
          appliesTo: [{ text: "fasting" }],
          text: "70-110"
        }],
        note: [{ text: "Repeated" }],
        method: { text: "Enzymatic" },
        specimen: { reference: "#s" },
        performer: [{ display: "City lab" }],
        contained: [{ resourceType: "Specimen", id: "s", type: { text: "Serum" } }]
      },
      "200.00",
      "70.0"
    ))
    assert.deepStrictEqual(row, {
      title: "Glucose",
      code: "LOINC 2339-0",
      status: "Amended",
      dates: [{ label: "Date", text: "2019-03-15 14:05 -07:00" }, { label: "Issued", text: "2019-03-16 08:00 UTC" }],
      details: [
        { label: "Value", text: "200.00 mg/dL" },
        { label: "Reference range", text: "70.0 to 110 mg/dL, 70-110 (fasting)" },
        { label: "Interpretation", text: "Critically high (HH)" },
        { label: "Note", text: "Repeated" },
        { label: "Method", text: "Enzymatic" },
        { label: "Specimen", text: "Serum" },
        { label: "Performed by", text: "City lab" }
      ],
      flags: ["Amended", "Critically high"],
      reference: "Observation/1",
      files: []
    })
  })

  it.each<[object, string]>([
    [{ valueString: "clear" }, "clear"],
    [{ valueCodeableConcept: { text: "Positive" } }, "Positive"],
    [{ valueBoolean: true }, "Yes"],
    [{ valueInteger: 4 }, "4"],
    [{ valueRange: { low: { value: 1 }, high: { value: 2 } } }, "1 to 2"],
    [{ valueRatio: { numerator: { value: 1 }, denominator: { value: 64 } } }, "1:64"],
    [{ valueSampledData: { data: "1 2 3" } }, "Samples: 1 2 3"],
    [{ valueTime: "14:05:00" }, "14:05:00"],
    [{ valueDateTime: "2019-03" }, "2019-03"],
    [{ valuePeriod: { start: "2019" } }, "since 2019"]
  ])("A result shows %j as the value: %s", (value, text) => {
    assert.strictEqual(detailsOf(rowOfItem(item({ resourceType: "Observation", id: "1", ...value })))["Value"], text)
  })

  it("A result without a value says why", () => {
    const row = rowOfItem(
      item(
        {
          resourceType: "Observation",
          id: "1",
          dataAbsentReason: { coding: [{ code: "not-performed", display: "Not Performed" }] }
        }
      )
    )
    assert.deepStrictEqual(row.details, [{ label: "No value because", text: "Not Performed" }])
  })

  it("A result that was entered in error, or has a modifier extension, is marked in words", () => {
    const row = rowOfItem(item({
      resourceType: "Observation",
      id: "1",
      status: "entered-in-error",
      code: { text: "Weight" },
      modifierExtension: [{ url: "http://example.org/not-this-patient", valueBoolean: true }]
    }))
    assert.strictEqual(row.status, "Entered in error")
    assert.deepStrictEqual(row.flags, ["Entered in error", "Modified meaning"])
    assert.deepStrictEqual(row.details, [{ label: "Modified by", text: "Not this patient: Yes" }])
  })

  it("A result with an empty modifier extension is not marked", () => {
    assert.deepStrictEqual(
      rowOfItem(item({ resourceType: "Observation", id: "1", modifierExtension: [null] })).flags,
      []
    )
  })

  it("A result lists its members and its sources with their values", () => {
    const member = (id: string, text: string, value: number) =>
      item(
        { resourceType: "Observation", id, category: category("survey"), code: { text }, valueInteger: value }
      )
    const rows = rowsOf([
      member("eyes", "Eyes", 4),
      member("motor", "Motor", 5),
      item({
        resourceType: "Observation",
        id: "score",
        code: { text: "Glasgow coma score" },
        hasMember: [{ reference: "Observation/eyes" }, { reference: "Observation/motor" }],
        derivedFrom: [{ reference: "Observation/motor" }]
      })
    ])
    assert.deepStrictEqual(rows.find(({ reference }) => reference === "Observation/score")!.details, [
      { label: "Members", text: "Eyes: 4, Motor: 5" },
      { label: "Derived from", text: "Motor: 5" }
    ])
  })

  it("A result without a code has its type as title", () => {
    assert.strictEqual(rowOfItem(item({ resourceType: "Observation", id: "1" })).title, "Observation")
  })
})

describe("Blood pressure", () => {
  it("A blood pressure is on one row with the systolic value first, for any order of its components", () => {
    const row = rowOfItem(item(bloodPressure([pressure("8462-4", "#1"), pressure("8480-6", "#0")]), "120.0", "80"))
    assert.strictEqual(row.details[0]?.text, "120.0/80 mm[Hg]")
    assert.deepInclude(detailsOf(row), { Systolic: "120.0 mm[Hg]", Diastolic: "80 mm[Hg]" })
  })

  it("Two pressures stay separate if one is missing, repeated, only a bound (\"<90\") or in another unit", () => {
    for (
      const component of [
        [pressure("8480-6", "#0")],
        [pressure("8480-6", "#0"), pressure("8480-6", "#0"), pressure("8462-4", "#1")],
        [pressure("8480-6", "#0"), { ...pressure("8462-4", "#1"), valueQuantity: { value: "#1", unit: "kPa" } }],
        [pressure("8480-6", "#0"), {
          ...pressure("8462-4", "#1"),
          valueQuantity: { value: "#1", unit: "mm[Hg]", comparator: "<" }
        }],
        [pressure("8480-6", "#0"), {
          ...pressure("8462-4", "#1"),
          valueQuantity: undefined,
          dataAbsentReason: { text: "unknown" }
        }]
      ]
    ) {
      const details = detailsOf(rowOfItem(item(bloodPressure(component), "120", "80")))
      assert.isUndefined(details["Value"])
      assert.isDefined(details["Systolic"])
    }
  })

  it("A blood pressure keeps the interpretation of each component and the observation's own value", () => {
    const row = rowOfItem(item(
      bloodPressure([pressure("8480-6", "#0", { interpretation: [{ coding: [{ code: "H" }] }] }),
        pressure("8462-4", "#1")], { valueQuantity: { value: 0 } }),
      "180",
      "80"
    ))
    assert.deepStrictEqual(row.details.slice(0, 2), [{ label: "Value", text: "180/80 mm[Hg]" }, {
      label: "Value of the whole",
      text: "0"
    }])
    assert.strictEqual(detailsOf(row)["Systolic"], "180 mm[Hg]; High (H)")
    assert.deepStrictEqual(row.flags, ["Systolic: High"])
  })
})

describe("A report", () => {
  it("A report shows its conclusion, its results with values, and its document as a file", () => {
    const rows = rowsOf([
      item(
        {
          resourceType: "Observation",
          id: "glucose",
          category: category("laboratory"),
          code: { text: "Glucose" },
          valueQuantity: { value: "#0", unit: "mmol/L" }
        },
        "5.40"
      ),
      item({
        resourceType: "DiagnosticReport",
        id: "report",
        status: "final",
        code: { text: "Metabolic panel" },
        effectiveDateTime: "2019-03-15",
        conclusion: "Unremarkable",
        conclusionCode: [{ text: "Normal" }],
        result: [{ reference: "http://server.example/fhir/Observation/glucose/_history/2" }, { reference: "#sodium" }, {
          reference: "Observation/elsewhere"
        }],
        contained: [{
          resourceType: "Observation",
          id: "sodium",
          code: { text: "Sodium" },
          valueQuantity: { value: 140, unit: "mmol/L" }
        }],
        presentedForm: [{ contentType: "application/pdf", data: "JVBERg==", title: "Report.pdf" }]
      })
    ])
    const row = rows.find(({ reference }) => reference === "DiagnosticReport/report")!
    assert.deepStrictEqual(row.details, [
      { label: "Conclusion", text: "Unremarkable; Normal" },
      { label: "Results", text: "Glucose: 5.40 mmol/L\nSodium: 140 mmol/L\nObservation/elsewhere" },
      { label: "Document", text: "Report.pdf, application/pdf, 4 bytes" }
    ])
    assert.deepStrictEqual(row.files, [{ title: "Report.pdf", contentType: "application/pdf", base64: "JVBERg==" }])
  })

  it("A report's result keeps the marks that the result itself would have", () => {
    const potassium = (more: object) => ({
      resourceType: "Observation",
      id: "k",
      code: { text: "Potassium" },
      valueQuantity: { value: 7.1, unit: "mmol/L" },
      ...more
    })
    const results = (contained: object) =>
      detailsOf(
        rowOfItem(
          item({ resourceType: "DiagnosticReport", id: "r", result: [{ reference: "#k" }], contained })
        )
      )["Results"]
    const range = { referenceRange: [{ low: { value: 3.5, unit: "mmol/L" }, high: { value: 5.1, unit: "mmol/L" } }] }
    const high = { ...range, interpretation: [{ coding: [{ code: "HH" }] }] }
    assert.strictEqual(results(potassium(high)), "Potassium: 7.1 mmol/L (critically high)")
    assert.strictEqual(results(potassium(range)), "Potassium: 7.1 mmol/L (above range)")
    assert.strictEqual(
      results(potassium({ ...high, status: "preliminary", valueQuantity: undefined, valueString: "x".repeat(900) }))
        ?.slice(-29),
      "(preliminary, critically high)".slice(-29)
    )
    assert.strictEqual(
      results({
        ...bloodPressure([pressure("8480-6", "68", { interpretation: [{ coding: [{ code: "LL" }] }] })]),
        id: "k"
      }),
      "Blood pressure: Systolic: 68 mm[Hg] (systolic: critically low)"
    )
  })
})
