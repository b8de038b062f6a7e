import type { Texts } from "../../support/Sync.ts"

const loinc = (code: string, display: string) => ({ coding: [{ system: "http://loinc.org", code, display }] })

const category = (code: string) => [{ coding: [{ code }] }]

/** The text of a resource. `"#1.00"` becomes the number `1.00`, which JSON.stringify would write as 1. */
export const resourceText = (resourceType: string, id: string, members: object) =>
  JSON.stringify({ resourceType, id, ...members }).replaceAll(/"#(-?\d[^"]*)"/g, "$1")

export const patient = (members: object) => [resourceText("Patient", "p", members)]

const status = (code: string) => ({ clinicalStatus: { coding: [{ code }] } })

export const condition = (id: string, name: string, more: object = {}) =>
  resourceText("Condition", id, { code: { text: name }, ...status("active"), ...more })

export const allergy = (id: string, name: string, more: object = {}) =>
  resourceText("AllergyIntolerance", id, { code: { text: name }, ...status("active"), ...more })

export const vaccine = (id: string, more: object = {}) =>
  resourceText("Immunization", id, {
    status: "completed",
    vaccineCode: { text: "Influenza" },
    occurrenceDateTime: "2018-05-10",
    ...more
  })

export const order = (id: string, name: string, more: object = {}) =>
  resourceText("MedicationRequest", id, {
    status: "active",
    intent: "order",
    medicationCodeableConcept: { text: name },
    ...more
  })

const glucose = (id: string, date: string, value: object, more: object = {}) =>
  result(id, value, { code: loinc("2339-0", "Glucose [Mass/volume] in Blood"), effectiveDateTime: date, ...more })

export const quantity = (value: string, unit = "mg/dL", more: object = {}) => ({
  valueQuantity: { value: `#${value}`, unit, ...more }
})

/** A problem that is active, with a verification status such as `provisional`. */
export const problem = (id: string, name: string, verification: string) =>
  condition(id, name, { onsetDateTime: "2020-01-02", verificationStatus: { coding: [{ code: verification }] } })

/** A laboratory result of a test that no other result has. */
export const result = (id: string, value: object, more: object = {}) =>
  resourceText("Observation", id, {
    status: "final",
    category: category("laboratory"),
    code: { text: `Test ${id}` },
    effectiveDateTime: "2026-06-03",
    ...value,
    ...more
  })

/** Results of tests that no other result has, without a date and a kind. */
export const plainResults = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => resourceText("Observation", `x${n}`, { status: "final", code: { text: `Test ${n}` }, valueString: "x" })
  )

/**
 * A small record with an example of each special case: severe, past, entered in error, without a dose, low, in another
 * unit.
 */
export const small: Texts = {
  Patient: patient({ name: [{ text: "Grace Hopper" }], birthDate: "1947-09-10", gender: "female" }),
  AllergyIntolerance: [
    allergy("mild", "Latex", { recordedDate: "2020-05-01" }),
    allergy("severe", "Penicillin G", {
      criticality: "high",
      reaction: [{ manifestation: [{ text: "Anaphylaxis" }], severity: "severe" }]
    })
  ],
  Condition: [
    condition("ht", "Hypertension (disorder)", { onsetDateTime: "1999-11-03" }),
    condition("old", "Broken wrist", { onsetDateTime: "1980", ...status("resolved") }),
    condition("wrong", "Gout", {
      onsetDateTime: "2001-01-01",
      verificationStatus: { coding: [{ code: "entered-in-error" }] }
    })
  ],
  Medication: [resourceText("Medication", "m", { code: { text: "Lisinopril 10 MG Oral Tablet" } })],
  MedicationRequest: [
    resourceText("MedicationRequest", "named", {
      status: "active",
      intent: "order",
      medicationReference: { reference: "Medication/m" },
      authoredOn: "2026-09-16",
      dosageInstruction: [{ text: "1 tablet daily" }]
    }),
    order("undosed", "Inhaler", { authoredOn: "2026-09-15" })
  ],
  Observation: [
    glucose("g1", "2024-01-05", quantity("91.0")),
    glucose("g2", "2025-01-05", quantity("5.1", "mmol/L")),
    glucose("g3", "2025-06-05", quantity("40", "mg/dL", { comparator: "<" })),
    glucose("g4", "2026-06-03", quantity("76.50"), {
      interpretation: [{ coding: [{ code: "L" }] }],
      referenceRange: [{ low: { value: "#70.0", unit: "mg/dL" }, high: { value: "#110", unit: "mg/dL" } }],
      text: { status: "generated", div: "<div>As the laboratory <b>wrote</b> it</div>" }
    }),
    glucose("g5", "2025-09-03", quantity("84")),
    resourceText("Observation", "bp", {
      status: "final",
      category: category("vital-signs"),
      code: loinc("85354-9", "Blood Pressure"),
      effectiveDateTime: "2026-09-16T10:00:00-07:00",
      component: [
        { code: loinc("8462-4", "Diastolic"), ...quantity("86", "mm[Hg]") },
        { code: loinc("8480-6", "Systolic"), ...quantity("135", "mm[Hg]") }
      ]
    })
  ]
}
