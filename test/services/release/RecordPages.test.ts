import { assert, describe, it } from "@effect/vitest"
import { entryOf } from "../../../src/clinical/Reading.ts"
import { recordPages } from "../../../src/services/release/RecordPages.ts"
import { authorizationOf } from "../pdf/Pdf.ts"

/** Lays out one resource, and returns its table as lists of texts: the headers, then each row's cells. */
const tableOf = async (resource: { readonly resourceType: string; readonly [member: string]: unknown }) => {
  const text = JSON.stringify(resource)
  const { resourceType } = resource
  const entry = { ...entryOf(resourceType, "1", text), resourceType, fhirId: "1" }
  const pages = recordPages(authorizationOf(), {
    entries: [entry],
    text: async () => text,
    bundle: async function*() {},
    undated: 0
  })
  const tables = []
  for await (const block of pages) if (block.kind === "table") tables.push(block)
  const { headers, rows } = tables.at(-1)!
  const cells = []
  for await (const row of rows) cells.push(row.map((cell) => cell.map(({ text }) => text)))
  return { headers, cells }
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

describe("The row of a result", () => {
  it("shows value, components and range in one cell, but a laboratory result's range in its own", async () => {
    assert.deepStrictEqual(await tableOf({ ...measured, category: category("vital-signs") }), {
      headers: ["Date", "Result", "Details"],
      cells: [[
        ["2020-01-02"],
        ["61 /min", "Reference range: 60 to 100", "Rhythm: regular"],
        ["Issued: 2020-01-03", "Method: by hand", "Final"]
      ]]
    })
    assert.deepStrictEqual(await tableOf({ ...measured, category: category("laboratory") }), {
      headers: ["Date", "Result", "Reference range", "Details"],
      cells: [[
        ["2020-01-02"],
        ["61 /min", "Rhythm: regular"],
        ["60 to 100"],
        ["Issued: 2020-01-03", "Method: by hand", "Final"]
      ]]
    })
  })

  it("shows the same size for an embedded document and its file", async () => {
    const presentedForm = [{ contentType: "text/plain", data: Buffer.from("four").toString("base64") }]
    const { cells } = await tableOf({ resourceType: "DiagnosticReport", code: { text: "Report" }, presentedForm })
    assert.deepStrictEqual(cells[0]!.at(-1), [
      "Document: text/plain, 4 bytes",
      "File: Report, text/plain, 4 bytes, in record.fhir.json"
    ])
  })
})
