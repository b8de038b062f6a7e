import { assert, describe, it } from "@effect/vitest"
import { entryOf } from "../../../src/clinical/Reading.ts"
import { inOrder } from "../../../src/clinical/Sections.ts"
import { recordPages } from "../../../src/services/release/RecordPages.ts"
import { authorizationOf } from "../pdf/Pdf.ts"

interface Resource {
  readonly resourceType: string
  readonly [member: string]: unknown
}

/**
 * Lays out resources, each as a value or its text. Returns the last table as lists of texts: what is above it, the
 * headers, the cells.
 */
const tableOf = async (...resources: ReadonlyArray<Resource | string>) => {
  const items = resources.map((resource, index) => {
    const text = typeof resource === "string" ? resource : JSON.stringify(resource)
    const { resourceType } = JSON.parse(text) as Resource
    const fhirId = `${index}`
    return { ...entryOf(resourceType, fhirId, text), resourceType, fhirId, text }
  })
  const pages = recordPages(authorizationOf(), {
    entries: inOrder(items),
    text: async ({ fhirId }) => items[Number(fhirId)]!.text,
    bundle: async function*() {},
    undated: 0,
    isOfAnother: false,
    died: null
  })
  const tables = []
  for await (const block of pages) if (block.kind === "table") tables.push(block)
  const { caption, headers, rows, title, widths } = tables.at(-1)!
  const cells = []
  for await (const row of rows) cells.push(row.map((cell) => cell.map(({ text }) => text)))
  return { shown: { title, caption, headers, cells }, widths }
}

const category = (code: string) => [{ coding: [{ code }] }]

const measured = {
  resourceType: "Observation",
  status: "final",
  code: { text: "Pulse" },
  effectiveDateTime: "2020-01-02",
  issued: "2020-01-03",
  valueQuantity: { value: 61, unit: "/min" },
  referenceRange: [{ text: "60 to 100" }],
  method: { text: "by hand" },
  component: [{ code: { text: "Rhythm" }, valueString: "regular" }]
}

describe("The table of a result", () => {
  it("shows all findings in one cell, components too, with the range outside the laboratory", async () => {
    assert.deepStrictEqual((await tableOf({ ...measured, category: category("vital-signs") })).shown, {
      title: "Pulse",
      caption: "Method: by hand; Final",
      headers: ["Date", "Result", "Details"],
      cells: [[
        ["2020-01-02"],
        ["61 /min", "Reference range: 60 to 100", "Rhythm: regular"],
        ["Issued: 2020-01-03"]
      ]]
    })
    assert.deepStrictEqual((await tableOf({ ...measured, category: category("laboratory") })).shown, {
      title: "Pulse",
      caption: "Reference range: 60 to 100; Method: by hand; Final",
      headers: ["Date", "Result", "Details"],
      cells: [[["2020-01-02"], ["61 /min", "Rhythm: regular"], ["Issued: 2020-01-03"]]]
    })
  })

  it("tells once what is equal in all rows, and leaves out a column without anything else", async () => {
    const sodium = (day: number, changes: object = {}) => ({
      resourceType: "Observation",
      status: "final",
      category: category("laboratory"),
      code: { coding: [{ system: "http://loinc.org", code: "2947-0", display: "Sodium" }] },
      effectiveDateTime: `2020-01-0${day}`,
      valueQuantity: { value: 130 + day, unit: "mmol/L" },
      referenceRange: [{ text: "135 to 145" }],
      ...changes
    })
    assert.deepStrictEqual((await tableOf(sodium(1), sodium(2), sodium(3))).shown, {
      title: "Sodium",
      caption: "In all 3 rows: Reference range: 135 to 145; Final; LOINC 2947-0",
      headers: ["Date", "Result"],
      cells: [
        [["2020-01-03"], ["133 mmol/L"]],
        [["2020-01-02"], ["132 mmol/L"]],
        [["2020-01-01"], ["131 mmol/L"]]
      ]
    })
    const other = sodium(2, { status: "preliminary", referenceRange: [], interpretation: [{ text: "Low" }] })
    assert.deepStrictEqual((await tableOf(sodium(1), other, sodium(3))).shown, {
      title: "Sodium",
      caption: "In all 3 rows: LOINC 2947-0",
      headers: ["Date", "Result", "Reference range", "Details"],
      cells: [
        [["2020-01-03"], ["133 mmol/L"], ["135 to 145"], ["Final"]],
        [["2020-01-02"], ["132 mmol/L", "Preliminary", "Low"], [], ["Interpretation: Low"]],
        [["2020-01-01"], ["131 mmol/L"], ["135 to 145"], ["Final"]]
      ]
    })
    // Many short results stand two beside each other, the newest first.
    const many = await tableOf(...Array.from({ length: 9 }, (_, day) => sodium(day + 1)))
    assert.deepStrictEqual(many.shown.headers, ["Date", "Result", "Date", "Result"])
    assert.deepStrictEqual(many.shown.cells[0], [["2020-01-09"], ["139 mmol/L"], ["2020-01-08"], ["138 mmol/L"]])
    assert.deepStrictEqual(many.shown.cells.at(-1), [["2020-01-01"], ["131 mmol/L"], [], []])
  })

  it.each([
    ["2020-01-02T10:00:00+02:00", "2020-01-02T10:00:00.292+02:00", false],
    ["2020-01-02T10:00:00+02:00", "2020-01-02T08:01:00Z", false],
    ["2020-01-02T10:00:00+02:00", "2020-01-02T10:01:01+02:00", true],
    ["2020-01-02T10:00:00+02:00", "2020-01-02T10:00:00+01:00", true],
    ["2020-01-02", "2020-01-02", false],
    ["2020-01-02", "2020-01-02T10:00:00Z", true]
  ])("of %s, issued %s, says when it was issued: %s", async (effectiveDateTime, issued, isTold) => {
    const { shown } = await tableOf({ ...measured, category: category("laboratory"), effectiveDateTime, issued })
    assert.strictEqual(JSON.stringify(shown.cells).includes("Issued"), isTold)
  })

  it("says so if its only date is when it was issued", async () => {
    const { effectiveDateTime: _, ...result } = measured
    const { shown } = await tableOf({ ...result, category: category("laboratory") })
    assert.deepStrictEqual(shown.cells[0]![0], ["Issued: 2020-01-03"])
  })

  it("has room for its longest number", async () => {
    const result = {
      ...measured,
      category: category("laboratory"),
      valueQuantity: { value: 0, unit: "in" },
      note: [{ text: "A long note that needs most of the paper. ".repeat(20) }]
    }
    const text = JSON.stringify(result).replace("\"value\":0", `"value":${"1234567890".repeat(4)}`)
    const { widths } = await tableOf(text)
    // A digit of 10 points is 5.72 points wide. The table has 518 points with the space behind its last column.
    const share = widths[1]! / widths.reduce((sum, width) => sum + width)
    assert.isAtLeast(share * 518 - 14, 40 * 5.72)
  })

  it("shows the same size for an embedded document and its file", async () => {
    const presentedForm = [{ contentType: "text/plain", data: Buffer.from("four").toString("base64") }]
    const { shown } = await tableOf({ resourceType: "DiagnosticReport", code: { text: "Report" }, presentedForm })
    assert.strictEqual(shown.caption, "Document: text/plain, 4 bytes")
    assert.deepStrictEqual(shown.cells[0]!.at(-1), ["File: Report, text/plain, 4 bytes, in record.fhir.json"])
  })
})

describe("The table of other items", () => {
  const visit = (n: number) => ({
    resourceType: "Encounter",
    status: "finished",
    class: { code: "AMB" },
    type: [{ text: `Visit ${n}` }],
    period: { start: `2020-01-0${n}`, end: `2020-01-0${n}` },
    location: [{ location: { display: n === 3 ? "Clinic" : "Hospital" } }]
  })

  it("tells once what is equal in all rows, but keeps one row whole", async () => {
    assert.deepStrictEqual((await tableOf(visit(1), visit(2), visit(3))).shown, {
      title: "Encounters",
      caption: "In all 3 rows: Finished; Class: Outpatient",
      headers: ["What", "When", "Details"],
      cells: [
        [["Visit 3"], ["Period: 2020-01-03"], ["Location: Clinic"]],
        [["Visit 2"], ["Period: 2020-01-02"], ["Location: Hospital"]],
        [["Visit 1"], ["Period: 2020-01-01"], ["Location: Hospital"]]
      ]
    })
    assert.deepStrictEqual((await tableOf(visit(1))).shown, {
      title: "Encounters",
      caption: undefined,
      headers: ["What", "When", "Details"],
      cells: [[["Visit 1", "Finished"], ["Period: 2020-01-01"], ["Class: Outpatient", "Location: Hospital"]]]
    })
  })

  it("names its section and its group where it goes on", async () => {
    const condition = { resourceType: "Condition", clinicalStatus: { coding: [{ code: "active" }] } }
    assert.strictEqual((await tableOf(condition)).shown.title, "Problems: Active")
  })
})
