import { assert, describe, it } from "@effect/vitest"
import { recordOf } from "../pdf/Pdf.ts"
import { unbroken } from "../pdf/PdfTools.ts"
import { active, creatinine, few, glanceOf, items, released } from "./GlanceRelease.ts"

describe("The glance of a release", () => {
  it("has orders not to give a medication, and counts all that is left out", async () => {
    const orders = Array.from(
      { length: 8 },
      (_, n) => ({ status: "active", medicationCodeableConcept: { text: `Drug ${n}` } })
    )
    const text = await glanceOf(items(
      "MedicationRequest",
      ...orders,
      { status: "active", doNotPerform: true, medicationCodeableConcept: { text: "Warfarin" } },
      { status: "stopped", medicationCodeableConcept: { text: "Statin" } }
    ))
    assert.match(text, /Warfarin – Do not give.* and 1 more in the section Medications, past ones too/)
  })

  it(
    "counts only confirmed problems, and the others have the word that says so there and in the tables",
    async () => {
      const { record: [first, ...tables] } = await released(items(
        "Condition",
        ...Object.entries({
          Hypertension: "confirmed",
          "Pulmonary embolism": "provisional",
          "Myocardial infarction": "differential",
          Pneumonia: "unconfirmed"
        }).map(([text, code]) => ({ ...active, code: { text }, verificationStatus: { coding: [{ code }] } }))
      ))
      const glance = unbroken(first!)
      const table = unbroken(tables.join(" "))
      assert.include(glance, "Active problems (1) Up to date")
      assert.notMatch(`${glance} ${table}`, /Hypertension (– )?(Provisional|Differential|Unconfirmed)/)
      for (
        const [name, word] of [
          ["Pulmonary embolism", "Provisional"],
          ["Myocardial infarction", "Differential"],
          ["Pneumonia", "Unconfirmed"]
        ]
      ) {
        assert.include(glance, `${name} – ${word}`)
        assert.include(table, `${name} ${word} `)
      }
    }
  )

  it("counts the results that it does not list", async () => {
    const answer = { status: "final", code: { text: "Mood" }, valueString: "good" }
    assert.include(
      await glanceOf(items("Observation", answer, answer)),
      "Latest results Up to date, as of 2026-11-21 " +
        "2 results in the sections after this page. None fits here."
    )
    assert.include(await glanceOf(few), "2020-01-02 2 results in the sections after this page.")
  })

  it("says the state of a card as of its oldest type", async () => {
    const at = (resourceType: string, lastCompleteAt: string) => ({ ...recordOf(resourceType), lastCompleteAt })
    const told = await glanceOf(few, [
      at("MedicationRequest", "2026-11-20T00:00:00.000Z"),
      at("MedicationStatement", "2026-11-17T00:00:00.000Z"),
      at("MedicationDispense", "2026-11-19T00:00:00.000Z")
    ])
    assert.match(told, /medications[^.]*Up to date, as of 2026-11-17/i)
  })

  it("words an onset, a period and a vague date as they were recorded", async () => {
    const vaccine = {
      status: "completed",
      vaccineCode: { text: "Measles" },
      occurrenceString: "approximately 1998",
      reaction: [{ detail: { display: "Fever" } }]
    }
    const text = await glanceOf([
      ...items("Condition", { ...active, code: { text: "Asthma" }, onsetAge: { value: 12, unit: "years" } }, {
        ...active,
        code: { text: "Gout" },
        onsetPeriod: { start: "2019" }
      }),
      ...items("MedicationAdministration", {
        status: "completed",
        medicationCodeableConcept: { text: "Ceftriaxone" },
        effectivePeriod: { start: "2026-11-02T08:00:00Z", end: "2026-11-09T08:00:00Z" }
      }),
      ...items("Immunization", vaccine)
    ])
    for (
      const told of [
        "Asthma onset 12 years",
        "Gout onset since 2019",
        "Ceftriaxone, 2026-11-02 to 2026-11-09",
        "Fever, approximately 1998"
      ]
    ) assert.include(text, told)
  })

  it("shortens a long text without the marks, the date and the status after it", async () => {
    const long = "and so on ".repeat(60)
    const text = await glanceOf([
      ...items("Observation", {
        ...creatinine("2026-01-02", 1),
        valueQuantity: undefined,
        valueString: `${long}end of the value`,
        interpretation: [{ coding: [{ code: "HH" }] }]
      }),
      ...items("AllergyIntolerance", {
        ...active,
        code: { text: "Latex" },
        recordedDate: "2019-08-07",
        reaction: [{ manifestation: [{ text: "Hives" }] }, { manifestation: [{ text: `Swelling ${long}` }] }]
      }),
      ...items("Condition", { code: { text: "Gout" }, onsetString: long })
    ])
    assert.match(text, /…\s–\sCritically high/)
    assert.match(text, /Hives; Swelling and so on.*…; recorded 2019-08-07/)
    assert.match(text, /…; status not recorded/)
    assert.notInclude(text, "end of the value")
  })

  it("has statements of absence with their date, doubt and marks, and says how many it leaves out", async () => {
    const statement = (n: number) => ({
      ...active,
      code: { text: `No known ${["drug", "latex", "food", "pollen", "insect", "animal"][n]} allergy` },
      verificationStatus: { coding: [{ code: n === 5 ? "provisional" : "confirmed" }] },
      recordedDate: `201${n}-02-03`
    })
    const text = await glanceOf(items("AllergyIntolerance", ...[0, 1, 2, 3, 4, 5].map(statement)))
    assert.include(text, "No known animal allergy – Provisional recorded 2015-02-03")
    assert.include(text, "and 2 more statements in the section Allergies and intolerances")
  })

  it("says what is past, and as of which day a type that was long not updated is known", async () => {
    const old = { lastCompleteAt: "2025-01-01T00:00:00Z", lastFetchAt: "2025-01-01T00:00:00Z" }
    const ended = { clinicalStatus: { coding: [{ code: "resolved" }] }, code: { text: "Milk" } }
    const { record: [first] } = await released(items("AllergyIntolerance", ended), [
      recordOf("AllergyIntolerance", old),
      recordOf("Condition", { ...old, lastCompleteAt: "2026-11-15T00:00:00Z" })
    ])
    const text = unbroken(first!)
    assert.include(
      text,
      "Kind of record Items here At the service Allergies 1 As of 2025-01-01 Conditions 0 Up to date"
    )
    assert.include(text, "Allergies As of 2025-01-01 No current allergies in this document. past ones in the section")
    assert.include(text, "Active problems Up to date, as of 2026-11-15")
  })
})
