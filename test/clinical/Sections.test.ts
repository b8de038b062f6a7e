import { assert, describe, it } from "@effect/vitest"
import { resolve } from "node:path"
import { createContext, runInContext } from "node:vm"
import { rolldown } from "rolldown"
import { entryOf } from "../../src/clinical/Reading.ts"
import { read, sectionsOf, sectionTitles } from "../../src/clinical/Sections.ts"
import { root } from "../support/Imports.ts"

const observation = (id: string, kind: string, text: string, code: string, more: object = {}) => ({
  resourceType: "Observation",
  fhirId: id,
  text: JSON.stringify({
    resourceType: "Observation",
    id,
    category: [{ coding: [{ code: kind, display: kind }] }],
    code: { text, coding: [{ system: "http://loinc.org", code }] },
    ...more
  })
})

const outline = (sections: ReturnType<typeof read>) =>
  sections.map((
    { groups, type }
  ) => [type, ...groups.map(({ rows, title }) => `${title}: ${rows.map(({ reference }) => reference.split("/")[1])}`)])

describe("Sections", () => {
  it("A section has a group for each code; groups sort by title, and items newest first with undated ones last", () => {
    assert.deepStrictEqual(
      outline(read([
        observation("n", "laboratory", "sodium", "2951-2"),
        observation("b", "laboratory", "Glucose", "2339-0", { effectiveDateTime: "2019" }),
        observation("w", "vital-signs", "Weight", "29463-7"),
        observation("c", "laboratory", "Glucose", "2339-0"),
        observation("a", "laboratory", "Glucose", "2339-0", { effectiveDateTime: "2019" }),
        observation("d", "laboratory", "GLUCOSE (old name)", "2339-0", { effectiveDateTime: "2020-01-01" }),
        observation("s", "social-history", "Smoking", "72166-2"),
        observation("e", "exam", "Reflexes", "1"),
        { resourceType: "Basic", fhirId: "x", text: "{}" }
      ])),
      [
        ["laboratory", "Glucose: d,a,b,c", "sodium: n"],
        ["vital-signs", "Weight: w"],
        ["observations", "exam: Reflexes: e", "social-history: Smoking: s"],
        ["other", "Basic: x"]
      ]
    )
  })

  it("Results are grouped by their LOINC code, even if a local code precedes it", () => {
    const own = {
      code: {
        text: "Sugar",
        coding: [{ system: "http://lab.example", code: "77" }, { system: "http://loinc.org", code: "2339-0" }]
      }
    }
    assert.deepStrictEqual(
      outline(
        read([observation("a", "laboratory", "Glucose", "2339-0"), observation("b", "laboratory", "Sugar", "x", own)])
      ),
      [["laboratory", "Glucose: a,b"]]
    )
  })

  it("A section names its incomplete types, even if it has no rows", () => {
    const sentence = "Test results could not be loaded."
    const sections = read([observation("w", "vital-signs", "Weight", "1")], new Map([["Observation", sentence]]))
    assert.deepStrictEqual(sections.map(({ completeness, groups, type }) => [type, completeness, groups.length]), [
      ["laboratory", [sentence], 0],
      ["vital-signs", [sentence], 1],
      ["observations", [sentence], 0]
    ])
    assert.deepStrictEqual(sectionsOf("DiagnosticReport"), ["laboratory"])
  })

  it("A reference gets its target's title by address or by id, unless the id is ambiguous", () => {
    const practitioner = (id: string) => ({
      resourceType: "Practitioner",
      fhirId: id,
      text: JSON.stringify({ name: [{ text: `Dr. ${id}` }] })
    })
    const performers = (reference: string) =>
      read([
        practitioner("a"),
        practitioner("2B"),
        { resourceType: "Organization", fhirId: "a", text: "{\"name\":\"Clinic\"}" },
        observation("o", "exam", "Exam", "1", { performer: [{ reference }] })
      ])[0]!.groups[0]!.rows[0]!.details.map(({ text }) => text)
    assert.deepStrictEqual(performers("Practitioner/a"), ["Dr. a"])
    assert.deepStrictEqual(performers("https://fhir.example/r4/Organization/a"), ["Clinic"])
    assert.deepStrictEqual(performers("urn:uuid:2b"), ["Dr. 2B"])
    assert.deepStrictEqual(performers("urn:uuid:a"), ["urn:uuid:a"])
    assert.deepStrictEqual(performers("Practitioner/z"), ["Practitioner/z"])
  })

  it("Every section has a title", () => {
    assert.lengthOf(new Set(Object.values(sectionTitles)), 14)
  })

  it("The clinical reader runs without any module of Node.js", async () => {
    const build = await rolldown({ input: resolve(root, "src/clinical/Sections.ts"), platform: "browser" })
    const { output } = await build.generate({ format: "iife", name: "clinical" })
    assert.lengthOf(output, 1)
    assert.notMatch(output[0].code, /\bimport\b|\brequire\(/)
    const browser: any = createContext({})
    runInContext(
      `${
        output[0].code
      }; result = clinical.read([{ resourceType: "Basic", fhirId: "1", text: '{"code":{"text":"Referral"}}' }])`,
      browser
    )
    assert.strictEqual(browser.result[0].groups[0].rows[0].title, "Referral")
  })
})

describe("An entry", () => {
  it("An entry is small even for a large resource", () => {
    const huge = "word ".repeat(200_000)
    const entry = entryOf(
      "Observation",
      "1",
      JSON.stringify({
        category: { text: huge },
        code: { text: huge, coding: [{ system: huge, code: huge }] },
        valueString: huge
      })
    )
    assert.isBelow(JSON.stringify(entry).length, 2000)
    const report = entryOf("DiagnosticReport", "1", JSON.stringify({ code: { text: huge } }))
    assert.isBelow(JSON.stringify(report).length, 2000)
  })

  it("An entry has the clinical date, or none if the resource has none", () => {
    assert.deepStrictEqual(entryOf("Observation", "1", "{\"effectiveDateTime\":\"2019-03\"}").clinicalDate, {
      sort: "2019-03",
      first: "2019-03-01",
      last: "2019-03-31"
    })
    assert.isNull(entryOf("Observation", "1", "{}").clinicalDate)
    assert.strictEqual(entryOf("Observation", "1", "{}").date, "")
  })
})
