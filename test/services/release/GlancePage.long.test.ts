import { assert, beforeAll, describe, it } from "@effect/vitest"
import { recordOf as recordOfPatient } from "../../clinical/SharedRecords.ts"
import { recordOf } from "../pdf/Pdf.ts"
import { ask, unbroken } from "../pdf/PdfTools.ts"
import { readStructure } from "../pdf/Structure.ts"
import { active, bodyWeight, creatinine, few, glanceOf, items, released } from "./GlanceRelease.ts"

describe("The first page of a record", () => {
  it("has the glance before all tables: allergies, problems, medications and results", async () => {
    const { pdf, record: [first] } = await released(few)
    assert.deepStrictEqual((await readStructure(pdf)).problems, [])
    const text = unbroken(first!)
    for (
      const told of [
        "Whose record Sean O'Hara, born 1961-04-12 Released 6 items of all dates, as of 2026-11-21 17:05 UTC",
        "Kind of record Items here At the service Allergies 1 Up to date, as of 2026-11-21 Conditions 2 Up to date",
        "What is not listed here is not in this document. That is not the same as none. Ask the patient.",
        "At a glance Allergies (1) Up to date, as of 2026-11-21 Penicillin",
        "Active problems (1) Up to date, as of 2026-11-21 Hypertension since 2010-05 past ones in the section Problems",
        "Current medications (1) Up to date, as of 2026-11-21 Lisinopril 10 MG One tablet daily; ordered 2019-03-04",
        "Latest results Up to date, as of 2026-11-21 Test Result Reference range Date Creatinine 1.1 mg/dL",
        "2020-01-02"
      ]
    ) assert.include(text, told)
    assert.isBelow(text.indexOf("At a glance"), text.indexOf("Allergies and intolerances"))
    assert.match(text, /Penicillin[^.]*Hives[^.]*since 2001-02-03/)
    const glance = text.slice(text.indexOf("At a glance"), text.indexOf("Allergies and intolerances"))
    assert.notMatch(glance, /Bronchitis|0\.9/)
    assert.notMatch(text, /AllergyIntolerance|MedicationRequest|Observation/)
  })

  it("says of each list how complete it is, and never that a part that was not loaded is none", async () => {
    const lost = { itemCount: 0, lastFetchAt: null, lastCompleteAt: null } as const
    const { record: [first] } = await released([], [
      recordOf("AllergyIntolerance", { ...lost, state: "unknown", lastFetch: null }),
      recordOf("Condition", { ...lost, state: "partial", lastFetch: "partial" }),
      recordOf("MedicationRequest", {
        state: "stale",
        lastFetch: "unavailable",
        lastCompleteAt: "2026-11-20T01:00:00Z"
      })
    ])
    const text = unbroken(first!)
    for (
      const told of [
        "Allergies were not loaded. This is not the same as “none.” Ask the patient. " +
        "Problems are not complete. Do not read a missing item as “none.” " +
        "Medications had their last complete update on 2026-11-20. The newest update did not finish. " +
        "Ask the patient about changes since then. Health record",
        "Allergies Not loaded This is not the same as “none.” Ask the patient.",
        "Active problems Not complete No active problems were loaded. Do not read this as “none.” Ask the patient.",
        "Current medications May be out of date, as of 2026-11-20 " +
        "No current medications in this document. Ask the patient about changes since then.",
        "Latest results Not in this document. That is not the same as none. Ask the patient."
      ]
    ) assert.include(text, told)
    assert.notMatch(text, /sync|fetch/)
  })

  it("never says that a release of some dates has none, but that other dates are not in it", async () => {
    const { record: [first] } = await released(few.slice(3, 4), [
      recordOf("AllergyIntolerance"),
      recordOf("MedicationRequest")
    ], "2018-01-01")
    const text = unbroken(first!)
    assert.include(
      text,
      "Allergies Only items from 2018-01-01. Up to date, as of 2026-11-21 " +
        "No allergies of these dates in this document. This is not the same as “none.” Ask the patient."
    )
    assert.include(text, "Only items from 2018-01-01. Up to date, as of 2026-11-21 Lisinopril")
    assert.notInclude(text, "No allergies in this document")
  })

  it("has the reactions after vaccines, and leaves none out unsaid", async () => {
    const vaccines = (count: number) =>
      items(
        "Immunization",
        ...Array.from({ length: count }, (_, n) => ({
          status: "completed",
          vaccineCode: { text: "Influenza" },
          occurrenceDateTime: `20${10 + n}-01-02`,
          reaction: [{ detail: { display: n === 0 ? "Anaphylaxis" : n > 7 ? "Fever" : `Fever of 3${n} °C` } }]
        }))
      )
    const reactionsOf = async (count: number) => (await glanceOf(vaccines(count))).split("Active problems")[0]!
    // The most dangerous one is first, the others begin with the newest.
    assert.match(
      await reactionsOf(2),
      /Reactions after vaccines Influenza, .*Anaphylaxis, 2010-01-02; Influenza, .*Fever of 31 °C, 2011-01-02/
    )
    assert.match(await reactionsOf(8), /vaccines .*Anaphylaxis.*2013-01-02; and 2 more in the section Immunizations/)
    // The same reaction to the same vaccine is one line.
    assert.match(await reactionsOf(10), /Fever, 2019-01-02, 2 entries;.*and 3 more in the section Immunizations/)
  })

  it("has everything on one page, however much there is, and says where the rest is", async () => {
    const many = (resourceType: string, members: object) =>
      items(
        resourceType,
        ...Array.from({ length: 40 }, (_, n) => ({
          ...active,
          status: "active",
          code: { text: `A long name of a problem ${n} ${"and more ".repeat(n === 3 ? 400 : 6)}` },
          medicationCodeableConcept: { text: `A long name of a drug ${n} ${"and more ".repeat(6)}` },
          ...members
        }))
      )
    const { pages, record } = await released([
      ...many("AllergyIntolerance", { criticality: "high" }),
      ...many("Condition", {}),
      ...many("MedicationRequest", { dosageInstruction: [{ text: "Take it with care. ".repeat(30) }] }),
      ...few.slice(4)
    ])
    const glance = pages.filter((page) => /^At a glance$/m.test(page))
    assert.lengthOf(glance, 1)
    for (const list of ["Allergies", "Active problems", "Current medications", "Latest results"]) {
      assert.include(glance[0], list)
    }
    assert.include(glance[0], "Creatinine")
    assert.match(unbroken(glance[0]!), /and \d+ more in the section Problems/)
    assert.match(unbroken(glance[0]!), /and \d+ more in the section Medications/)
    assert.isAtMost(record.indexOf(glance[0]!), 1)
  })
})

describe.each([["Creatinine", creatinine], ["Body weight", bodyWeight]])("100 values of %s", (name, observation) => {
  it("have its name on every page that has one of them", async () => {
    const day = (n: number) => new Date(Date.UTC(2019, 0, 1 + n)).toISOString().slice(0, 10)
    const values = Array.from({ length: 100 }, (_, n) => ({
      ...observation(day(n), n + 100.5),
      // The words keep the table long, because each row has other ones.
      note: [{ text: `Taken ${n} times. ${"Measured again. ".repeat(20)}` }]
    }))
    const { record } = await released(items("Observation", ...values))
    const pages = record.filter((page) => /Taken \d+ times/.test(page))
    assert.isAbove(pages.length, 2)
    for (const page of pages) assert.match(page, new RegExp(`^${name}(, continued)?$`, "m"))
    assert.isAbove(pages.filter((page) => page.includes(`${name}, continued`)).length, 1)
  })
})

describe("The 3,165 items of a patient", () => {
  let found: Awaited<ReturnType<typeof released>>
  beforeAll(async () => {
    found = await released(recordOfPatient("syn-kristie55-treutel973"))
  })

  it("take at most 200 pages", async () => {
    assert.isAtMost(found.pages.length, 200)
    assert.include(await ask(found.pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
  })

  it("have the name of its test on every page with a result", async () => {
    const { record } = found
    const laboratory = record.filter((page) => / mmol\/L| mg\/dL/.test(page) && /^Date Result/m.test(page))
    assert.isAbove(laboratory.length, 40)
    const named =
      /^(.+, continued|.*\b(Urea Nitrogen|Sodium|Glucose|Calcium|Chloride|Potassium|Creatinine|Carbon Dioxide|.*\[.+\].*|.*Cholesterol|Triglycerides|.*panel.*|.*Panel))$/m
    assert.deepStrictEqual(laboratory.filter((page) => !named.test(page.split(/^Date Result/m)[0]!)), [])
    const sodium = record.filter((page) => page.includes("LOINC 2947-0"))
    assert.isAtLeast(sodium.length, 1)
    for (const page of sodium) assert.match(page, /^Sodium(, continued)?$/m)
  })
})
