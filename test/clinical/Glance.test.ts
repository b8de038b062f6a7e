import { assert, describe, it } from "@effect/vitest"
import { glanceOf } from "../../src/clinical/Glance.ts"
import type { GlanceItem } from "../../src/clinical/GlanceCards.ts"
import { entryOf, summaryOf } from "../../src/clinical/Reading.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"
import { recordOf } from "./SharedRecords.ts"

const kept = (texts: ReadonlyArray<readonly [resourceType: string, fhirId: string, text: string]>) => {
  const titleOf = titlesOf(texts.map(([type, id, text]) => entryOf(type, id, text)))
  return glanceOf(texts.map(([type, id, text], key) => ({ key, summary: summaryOf(type, id, text, titleOf) })))
}

const glance = (...resources: ReadonlyArray<object & { readonly resourceType: string }>) =>
  kept(resources.map((resource, key) => [resource.resourceType, `${key}`.padStart(2, "0"), JSON.stringify(resource)]))

const glanceOfPatient = (patient: string) =>
  kept(recordOf(patient).map(({ fhirId, resourceType, text }) => [resourceType, fhirId, text]))

const concept = (code: string) => ({ coding: [{ code }] })

const problem = (name: string, clinical: string, verification: string, more: object = {}) => ({
  resourceType: "Condition",
  code: { text: name },
  clinicalStatus: concept(clinical),
  verificationStatus: concept(verification),
  ...more
})

const allergy = (name: string, more: object = {}) => ({
  resourceType: "AllergyIntolerance",
  code: { text: name },
  clinicalStatus: concept("active"),
  verificationStatus: concept("confirmed"),
  ...more
})

const order = (name: string, status: string, more: object = {}) => ({
  resourceType: "MedicationRequest",
  status,
  intent: "order",
  medicationCodeableConcept: { text: name },
  ...more
})

const snomed = (code: string, display: string, text?: string) => ({
  code: { coding: [{ system: "http://snomed.info/sct", code, display }], ...text === undefined ? {} : { text } }
})

/** Each item in a line: title, flags, and the number of entries if it is not one. */
const lines = (items: ReadonlyArray<GlanceItem>) =>
  items.map(({ entries, flags, title }) =>
    [title, ...flags, ...entries === 1 ? [] : [`${entries} entries`]].join(" | ")
  )

describe("Problems in the glance", () => {
  it("Diagnoses that are not confirmed stand behind the confirmed ones, with the word that says so, and do not count", () => {
    const { problems } = glance(
      problem("Pulmonary embolism", "active", "provisional", { onsetDateTime: "2024-03" }),
      problem("Myocardial infarction", "active", "differential", { onsetDateTime: "2024-02" }),
      problem("Lupus", "active", "unconfirmed", { onsetDateTime: "2024-01" }),
      problem("Hypertension", "active", "confirmed", { onsetDateTime: "2001" }),
      problem("Gout", "active", "refuted"),
      problem("Measles", "active", "entered-in-error"),
      problem("Asthma", "resolved", "confirmed")
    )
    assert.deepStrictEqual(lines(problems.items), [
      "Hypertension",
      "Pulmonary embolism | Provisional",
      "Myocardial infarction | Differential",
      "Lupus | Unconfirmed"
    ])
    assert.deepInclude(problems, { active: 1, all: 7, hasPast: true })
  })

  it("A problem without a clinical status is shown and says that its status is not recorded", () => {
    const { problems } = glance({ resourceType: "Condition", ...{ code: { text: "Gout" } } })
    assert.deepStrictEqual(problems.items.map(({ hasStatus, title }) => [title, hasStatus]), [["Gout", false]])
    assert.deepInclude(problems, { active: 0, hasPast: false })
  })

  it.each<[string, object]>([
    ["an end", { abatementDateTime: "2020-03" }],
    ["an age at its end", { abatementAge: { value: 40, unit: "years" } }],
    ["the word “Resolved”", { clinicalStatus: { text: "Resolved" } }],
    ["a display “Inactive”", { clinicalStatus: { coding: [{ code: "I", display: "Inactive" }] } }],
    ["the words “In Remission”", { clinicalStatus: { text: "In Remission" } }],
    ["the words “Entered in Error”", { verificationStatus: { text: "Entered in Error" } }]
  ])("A problem with %s is past, though it has no code that says so", (_, more) => {
    const { problems } = glance({ resourceType: "Condition", ...{ code: { text: "Gout" } }, ...more })
    assert.deepInclude(problems, { items: [], all: 1, hasPast: true })
  })

  it("A problem that is coded as active stays active though it has an end, and a denied end is no end", () => {
    const { problems } = glance(
      problem("Gout", "active", "confirmed", { abatementDateTime: "2020-03" }),
      { resourceType: "Condition", ...{ code: { text: "Asthma" }, abatementBoolean: false } }
    )
    assert.deepStrictEqual(problems.items.map(({ hasStatus, title }) => [title, hasStatus]), [["Gout", true], [
      "Asthma",
      false
    ]])
  })

  it("The same problem recorded twice is one line with its first onset, and counts once", () => {
    const { problems } = glance(
      problem("Hypertension", "active", "confirmed", { onsetDateTime: "2001", category: [{ text: "Problem list" }] }),
      problem("Hypertension", "active", "confirmed", { onsetDateTime: "2020", category: [{ text: "Encounter" }] }),
      problem("Gout", "active", "confirmed", { onsetDateTime: "1990" })
    )
    assert.deepStrictEqual(lines(problems.items), ["Hypertension | 2 entries", "Gout"])
    assert.deepStrictEqual([problems.active, problems.all], [2, 3])
    assert.deepInclude(problems.items[0]!, { key: 1, date: { label: "Onset", text: "2001" } })
  })

  it("Problems that differ in status, verification, severity, stage, body site, code or text are not merged", () => {
    const cancer = problem("Cancer", "active", "confirmed")
    const others = [
      { clinicalStatus: concept("relapse") },
      { verificationStatus: concept("provisional") },
      { severity: { text: "Mild" } },
      { stage: [{ summary: { text: "Stage II" } }] },
      { bodySite: [{ text: "Left breast" }] },
      { code: { text: "Cancer", coding: [{ code: "1" }] } },
      { code: { text: "cancer of the skin" } },
      { modifierExtension: [{ url: "http://example.org/x", valueBoolean: true }] }
    ]
    for (const other of others) {
      const { problems } = glance(cancer, { ...cancer, ...other })
      assert.deepStrictEqual(problems.items.map(({ entries }) => entries), [1, 1], JSON.stringify(other))
    }
    const nameless = { resourceType: "Condition", clinicalStatus: concept("active") }
    assert.lengthOf(glance(nameless, nameless).problems.items, 2)
  })
})

describe("Allergies in the glance", () => {
  it("An unconfirmed allergy says so and counts; dangerous ones come first, then confirmed ones", () => {
    const { allergies } = glance(
      allergy("Dust", { verificationStatus: concept("unconfirmed") }),
      allergy("Pollen"),
      allergy("Penicillin", { verificationStatus: concept("unconfirmed"), criticality: "high" }),
      allergy("Eggs", { verificationStatus: concept("refuted") })
    )
    assert.deepStrictEqual(lines(allergies.items), [
      "Penicillin | Unconfirmed | High criticality",
      "Pollen",
      "Dust | Unconfirmed"
    ])
    assert.deepInclude(allergies, { active: 3, hasPast: true })
  })

  it.each([
    ["the code for no known latex allergy", snomed("716184000", "No known latex allergy (situation)"),
      "No known latex allergy"],
    ["the code for no known allergy", snomed("716186003", "No known allergy (situation)", "NKA"),
      "No known allergy (NKA)"],
    ["a code of the International Patient Summary", {
      code: {
        coding: [{ system: "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips", code: "no-allergy-info" }]
      }
    }, "No allergy info"],
    ["words alone", { code: { text: "No Known Drug Allergies" } }, "No Known Drug Allergies"]
  ])("A statement of absence, by %s, is told apart from the allergies and not counted", (_, code, title) => {
    const { allergies } = glance(allergy("", code), allergy("Penicillin"))
    assert.deepStrictEqual(lines(allergies.statements), [title])
    assert.deepStrictEqual(lines(allergies.items), ["Penicillin"])
    assert.deepInclude(allergies, { active: 1, all: 1, hasPast: false })
  })

  it.each([
    ["refuted", { verificationStatus: concept("refuted") }],
    ["inactive", { clinicalStatus: concept("inactive") }],
    ["entered in error", { verificationStatus: concept("entered-in-error") }]
  ])("A statement of absence that is %s is a past item and states nothing", (_, more) => {
    const { allergies } = glance(allergy("", { ...snomed("716186003", "No known allergy"), ...more }))
    assert.deepInclude(allergies, { active: 0, hasPast: true, statements: [], items: [] })
  })

  it("Words that name a substance win over a code that says none", () => {
    for (
      const code of [
        snomed("716186003", "No known allergy", "Penicillin"),
        { code: { text: "No known drug allergies except penicillin" } },
        snomed("409137002", "No known drug allergy", "No known drug allergies except penicillin"),
        snomed("716186003", "No known allergy", "No known allergies apart from latex"),
        snomed("716186003", "No known allergy", "None other than dust"),
        { code: { text: "No known allergy but latex allergy" } },
        { code: { text: "Nonoxynol" } }
      ]
    ) {
      const { allergies } = glance(allergy("", code))
      assert.deepInclude(allergies, { active: 1, statements: [] })
    }
  })

  it("An allergy whose status is past in words alone is a past item", () => {
    const { allergies } = glance(
      allergy("Eggs", { clinicalStatus: { text: "Resolved" } }),
      allergy("Milk", { verificationStatus: { text: "Entered in error" } }),
      allergy("Nuts", { clinicalStatus: { ...concept("active"), text: "Resolved" } })
    )
    assert.deepStrictEqual(lines(allergies.items), ["Nuts"])
    assert.deepInclude(allergies, { active: 1, hasPast: true })
  })

  it("A vaccine with a reaction stands beside the allergies, with the word “Reaction”, the dangerous ones first, and is not counted", () => {
    const vaccine = (name: string, status: string, more: object = {}) => ({
      resourceType: "Immunization",
      status,
      vaccineCode: { text: name },
      occurrenceDateTime: "2020-01-01",
      ...more
    })
    const to = (display: string) => ({ reaction: [{ detail: { display } }] })
    const { allergies } = glance(
      vaccine("Influenza", "completed", to("Fever")),
      vaccine("Tetanus", "completed"),
      vaccine("Measles", "entered-in-error", to("Fever")),
      vaccine("Mumps", "completed", { ...to("Anaphylaxis or collapse"), occurrenceDateTime: "2001-01-01" })
    )
    assert.deepStrictEqual(allergies.vaccineReactions.map(({ detail, flags, title }) => [title, detail, flags]), [
      ["Mumps", "Reaction: Anaphylaxis or collapse", ["Anaphylaxis"]],
      ["Influenza", "Reaction: Fever", []]
    ])
    assert.deepInclude(allergies, { active: 0, all: 0, items: [] })
  })

  it("A reaction of anaphylaxis without a severity is marked, and comes first", () => {
    const anaphylaxis = { coding: [{ system: "http://snomed.info/sct", code: "39579001" }] }
    assert.deepStrictEqual(
      lines(glance(allergy("Dust"), allergy("Nuts", { reaction: [{ manifestation: [anaphylaxis] }] })).allergies.items),
      ["Nuts | Anaphylaxis", "Dust"]
    )
  })

  it("Allergies with other reactions or another criticality are not merged", () => {
    const reactionTo = (text: string) => ({ reaction: [{ manifestation: [{ text }] }] })
    assert.deepStrictEqual(
      lines(
        glance(
          allergy("Penicillin", reactionTo("Hives")),
          allergy("Penicillin", reactionTo("Hives")),
          allergy("Penicillin", reactionTo("Swelling"))
        ).allergies.items
      ),
      ["Penicillin | 2 entries", "Penicillin"]
    )
  })
})

describe("Medications in the glance", () => {
  it("Only active medications count; those on hold, planned, proposed or forbidden follow with their words", () => {
    const { medications } = glance(
      order("Warfarin", "on-hold"),
      order("Aspirin", "active", { doNotPerform: true }),
      order("Insulin", "active", { intent: "proposal" }),
      {
        resourceType: "MedicationStatement",
        ...{ status: "not-taken", medicationCodeableConcept: { text: "Statin" } }
      },
      { resourceType: "MedicationStatement", ...{ status: "active", medicationCodeableConcept: { text: "Garlic" } } },
      { resourceType: "MedicationStatement", ...{ status: "unknown", medicationCodeableConcept: { text: "Zinc" } } },
      { resourceType: "MedicationDispense", ...{ status: "in-progress", medicationCodeableConcept: { text: "Iron" } } },
      order("Lisinopril", "active")
    )
    assert.deepStrictEqual(lines(medications.items), [
      "Lisinopril",
      "Garlic",
      "Warfarin | On hold",
      "Aspirin | Do not give",
      "Insulin | Proposal",
      "Zinc"
    ])
    assert.deepInclude(medications, { active: 2, all: 8, hasPast: true })
    assert.deepStrictEqual(medications.items.filter(({ hasStatus }) => !hasStatus).map(({ title }) => title), ["Zinc"])
  })

  it("An order not to give a medication has a line, however many medications are active, and no line goes uncounted", () => {
    const { medications } = glance(
      ...Array.from({ length: 8 }, (_, n) => order(`Drug ${n}`, "active", { authoredOn: `202${n}` })),
      order("Warfarin", "active", { doNotPerform: true }),
      order("Insulin", "on-hold"),
      order("Statin", "stopped")
    )
    assert.deepStrictEqual(lines(medications.items), [
      ...[7, 6, 5, 4, 3, 2, 1].map((n) => `Drug ${n}`),
      "Warfarin | Do not give"
    ])
    assert.deepInclude(medications, { active: 8, current: 10, all: 11, hasPast: true })
  })

  it("Orders not to give a medication leave half of the lines to the others", () => {
    const { medications } = glance(
      ...Array.from({ length: 8 }, (_, n) => order(`Drug ${n}`, "active")),
      ...Array.from({ length: 8 }, (_, n) => order(`Never ${n}`, "active", { doNotPerform: true }))
    )
    assert.deepStrictEqual(medications.items.map(({ title }) => title.split(" ")[0]), [
      ...Array.from({ length: 4 }, () => "Drug"),
      ...Array.from({ length: 4 }, () => "Never")
    ])
  })

  it("Two orders of the same drug and dose are one line; another dose, drug or kind of entry is another line", () => {
    const dose = (text: string) => ({ dosageInstruction: [{ text }] })
    const { medications } = glance(
      order("Lisinopril", "active", { ...dose("10 mg daily"), authoredOn: "2020" }),
      order("Lisinopril", "active", { ...dose("10 mg daily"), authoredOn: "2021" }),
      order("Lisinopril", "active", dose("20 mg daily")),
      {
        resourceType: "MedicationStatement",
        ...{ status: "active", medicationCodeableConcept: { text: "Lisinopril" }, dosage: [{ text: "10 mg daily" }] }
      }
    )
    assert.deepStrictEqual(medications.items.map(({ date, detail, entries }) => [detail, entries, date?.text]), [
      ["10 mg daily", 2, "2021"],
      ["20 mg daily", 1, undefined],
      ["10 mg daily", 1, undefined]
    ])
    assert.strictEqual(medications.active, 3)
  })

  it("Without an active medication, the last one that was dispensed or given is told", () => {
    const supply = (resourceType: string, name: string, status: string, more: object) => ({
      resourceType,
      status,
      medicationCodeableConcept: { text: name },
      ...more
    })
    const supplies = [
      supply("MedicationDispense", "Amoxicillin", "completed", { whenHandedOver: "2026-11-02" }),
      supply("MedicationAdministration", "Ceftriaxone", "completed", { effectiveDateTime: "2026-11-09" }),
      supply("MedicationDispense", "Declined", "declined", { whenHandedOver: "2026-11-10" }),
      supply("MedicationDispense", "Not yet filled", "in-progress", { whenPrepared: "2026-11-10" }),
      supply("MedicationAdministration", "Not given", "not-done", { effectiveDateTime: "2026-11-10" }),
      supply("MedicationDispense", "Mistake", "entered-in-error", { whenHandedOver: "2026-11-10" })
    ]
    const { medications } = glance(...supplies, order("Old", "stopped"))
    assert.strictEqual(medications.lastSupplied?.title, "Ceftriaxone")
    assert.deepInclude(medications, { items: [], active: 0, hasPast: true })
    assert.isNull(glance(...supplies, order("Lisinopril", "active")).medications.lastSupplied)
  })

  it("“No known medications” is a statement, and “No known problems” too", () => {
    const { medications, problems } = glance(
      {
        resourceType: "MedicationStatement",
        ...{ status: "active", medicationCodeableConcept: snomed("787481004", "No known medications (situation)").code }
      },
      problem("", "active", "confirmed", snomed("160245001", "No current problems or disability"))
    )
    assert.deepStrictEqual(lines(medications.statements), ["No known medications"])
    assert.deepStrictEqual(lines(problems.statements), ["No current problems or disability"])
    for (const card of [medications, problems]) {
      assert.deepInclude(card, { active: 0, all: 0, items: [], hasPast: false })
    }
  })
})

describe("Results in the glance", () => {
  const result = (code: string, display: string, more: object = {}) => ({
    resourceType: "Observation",
    status: "final",
    category: [{ coding: [{ code: "laboratory" }] }],
    code: { coding: [{ system: "http://loinc.org", code, display }] },
    effectiveDateTime: "2024-01-01",
    valueQuantity: { value: 6.9, unit: "%" },
    ...more
  })

  it("A key test has a short name by its LOINC code, and keeps its title", () => {
    const { results } = glance(
      result("4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood"),
      result("33914-3", "Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum or Plasma"),
      result("18262-6", "Cholesterol in LDL [Mass/volume] in Serum or Plasma by Direct assay"),
      result("2951-2", "Sodium [Moles/volume] in Serum or Plasma")
    )
    assert.deepStrictEqual(results.items.map(({ name }) => name), [
      "Hemoglobin A1c",
      "eGFR",
      "LDL cholesterol",
      "Sodium [Moles/volume] in Serum or Plasma"
    ])
    assert.strictEqual(results.items[0]!.title, "Hemoglobin A1c/Hemoglobin.total in Blood")
  })

  it("A critical result comes first, and one outside its range is shown even without a category", () => {
    const critically = (code: string) => ({ interpretation: [{ coding: [{ code }] }], category: [] })
    const { results } = glance(
      result("4548-4", "Hemoglobin A1c"),
      result("1", "Plain", { category: [] }),
      result("751-8", "Neutrophils", critically("LL")),
      result("711-2", "Eosinophils", critically("HH")),
      result("704-7", "Basophils", { referenceRange: [{ high: { value: 1, unit: "%" } }], category: [] }),
      result("6598-7", "Troponin", { ...critically("HH"), effectiveDateTime: "2019" })
    )
    assert.deepStrictEqual(results.items.map(({ flags, name }) => [name, ...flags]), [
      ["Neutrophils", "Critically low"],
      ["Eosinophils", "Critically high"],
      ["Hemoglobin A1c"],
      ["Basophils", "Above range"],
      ["Troponin", "Critically high"]
    ])
  })

  it.each([
    ["the word “Critical”", { text: "Critical high" }],
    ["the code HX", concept("HX")],
    ["the code LX", concept("LX")]
  ])("A result that is critical by %s comes first, even without a category", (_, interpretation) => {
    const { results } = glance(
      result("4548-4", "Hemoglobin A1c"),
      result("6598-7", "Troponin", { interpretation: [interpretation], category: [] })
    )
    assert.deepStrictEqual(results.items.map(({ name }) => name), ["Troponin", "Hemoglobin A1c"])
  })

  it("A blood pressure with one of its two values is the latest one, not an older complete one", () => {
    const part = (code: string, display: string, more: object) => ({ ...snomed(code, display), ...more })
    const pressure = (date: string, ...component: ReadonlyArray<object>) =>
      result("85354-9", "Blood pressure", { valueQuantity: undefined, effectiveDateTime: date, component })
    const mm = (value: number) => ({ valueQuantity: { value, unit: "mmHg" } })
    const { results } = glance(
      pressure("2019-01-01", part("271649006", "Systolic", mm(120)), part("271650006", "Diastolic", mm(80))),
      pressure(
        "2026-11-20",
        part("271649006", "Systolic", { ...mm(68), interpretation: [concept("LL")] }),
        part("271650006", "Diastolic", { dataAbsentReason: { text: "palpated" } })
      )
    )
    assert.deepStrictEqual(results.items.map(({ date, flags, value }) => [date, value, flags]), [
      ["2026-11-20", "Systolic: 68 mmHg; Diastolic: no value because: Palpated", ["Systolic: Critically low"]]
    ])
  })

  it("Two old tests of one kind keep their own titles, because one name would make them one test", () => {
    const old = { effectiveDateTime: "2001-01-01" }
    const { results } = glance(
      result("2951-2", "Sodium"),
      result("33914-3", "GFR by MDRD", old),
      result("62238-1", "GFR by CKD-EPI", old)
    )
    assert.deepStrictEqual(results.items.map(({ name }) => name), ["Sodium", "GFR by MDRD", "GFR by CKD-EPI"])
  })

  it("A result that is preliminary or corrected says so; a cancelled one is not shown", () => {
    const { results } = glance(
      result("4548-4", "Hemoglobin A1c", { status: "preliminary" }),
      result("2951-2", "Sodium", { status: "corrected" }),
      result("2823-3", "Potassium", { status: "cancelled" })
    )
    assert.deepStrictEqual(results.items.map(({ flags, title }) => [title, ...flags]), [
      ["Hemoglobin A1c", "Preliminary"],
      ["Sodium", "Corrected"]
    ])
  })
})

describe("The shared patients", () => {
  it.each(["syn-harry448-botsford977", "syn-soledad678-guzman14", "hl7-example"])(
    "The glance of %s is the same in any order of its items, so screen and paper agree",
    (patient) => {
      const told = (record: ReturnType<typeof recordOf>) => {
        const { allergies, medications, problems, results } = kept(
          record.map(({ fhirId, resourceType, text }) => [resourceType, fhirId, text])
        )
        return [allergies, problems, medications, results].map(({ items }) =>
          items.map(({ key, ...item }) => [record[key]!.fhirId, item])
        )
      }
      const record = recordOf(patient)
      assert.deepStrictEqual(told(record.toReversed()), told(record))
    }
  )

  it("hl7-example has three allergies and the statement that no latex allergy is known", () => {
    const { allergies } = glanceOfPatient("hl7-example")
    assert.deepStrictEqual(lines(allergies.items), [
      "Cashew nuts | Severe | High criticality",
      "Penicillin G | Unconfirmed | High criticality",
      "Allergic to fresh fish. Tolerates canned fish"
    ])
    assert.deepStrictEqual(lines(allergies.statements), ["No Known Latex Allergy"])
    assert.strictEqual(allergies.active, 3)
  })

  it("The provisional problems of va-florentino8-raynor401 do not count, and problems recorded twice are one line", () => {
    const { problems } = glanceOfPatient("va-florentino8-raynor401")
    assert.deepStrictEqual(lines(problems.items), [
      "Body mass index 40+ - severely obese",
      "Body mass index 30+ - obesity | 2 entries",
      "Chronic sinusitis | 2 entries",
      "Seasonal allergic rhinitis",
      "Body mass index 40+ - severely obese | Provisional",
      "Seasonal allergic rhinitis | Provisional"
    ])
    assert.deepInclude(problems, { active: 4, all: 14, hasPast: true })
  })
})
