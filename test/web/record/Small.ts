import type { Texts } from "../../support/Sync.ts"

const loinc = (code: string, display: string) => ({ coding: [{ system: "http://loinc.org", code, display }] })

const category = (code: string) => [{ coding: [{ code }] }]

/** Turns `"#1.00"` into the number `1.00`, which JSON.stringify would write as 1. */
const texts = (...resources: ReadonlyArray<object>) =>
  resources.map((resource) => JSON.stringify(resource).replaceAll(/"#(-?\d[^"]*)"/g, "$1"))

const condition = (id: string, name: string, onset: string, status = "active", more: object = {}) => ({
  resourceType: "Condition",
  id,
  code: { text: name },
  clinicalStatus: { coding: [{ code: status }] },
  onsetDateTime: onset,
  ...more
})

const glucose = (id: string, date: string, value: object, more: object = {}) => ({
  resourceType: "Observation",
  id,
  status: "final",
  category: category("laboratory"),
  code: loinc("2339-0", "Glucose [Mass/volume] in Blood"),
  effectiveDateTime: date,
  ...value,
  ...more
})

export const quantity = (value: string, unit = "mg/dL", more: object = {}) => ({
  valueQuantity: { value: `#${value}`, unit, ...more }
})

/** A problem that is active, with a verification status such as `provisional`. */
export const problem = (id: string, name: string, verification: string) =>
  texts(condition(id, name, "2020-01-02", "active", { verificationStatus: { coding: [{ code: verification }] } }))[0]!

/** A laboratory result of a test that no other result has. */
export const result = (id: string, value: object, more: object = {}) =>
  texts({
    resourceType: "Observation",
    id,
    status: "final",
    category: category("laboratory"),
    code: { text: `Test ${id}` },
    effectiveDateTime: "2026-06-03",
    ...value,
    ...more
  })[0]!

/**
 * A small record with an example of each special case: severe, past, entered in error, without a dose, low, in another
 * unit.
 */
export const small: Texts = {
  Patient: texts({
    resourceType: "Patient",
    id: "p",
    name: [{ text: "Grace Hopper" }],
    birthDate: "1947-09-10",
    gender: "female"
  }),
  AllergyIntolerance: texts(
    {
      resourceType: "AllergyIntolerance",
      id: "mild",
      code: { text: "Latex" },
      clinicalStatus: { coding: [{ code: "active" }] },
      recordedDate: "2020-05-01"
    },
    {
      resourceType: "AllergyIntolerance",
      id: "severe",
      code: { text: "Penicillin G" },
      criticality: "high",
      clinicalStatus: { coding: [{ code: "active" }] },
      reaction: [{ manifestation: [{ text: "Anaphylaxis" }], severity: "severe" }]
    }
  ),
  Condition: texts(
    condition("ht", "Hypertension (disorder)", "1999-11-03"),
    condition("old", "Broken wrist", "1980", "resolved"),
    condition("wrong", "Gout", "2001-01-01", "active", {
      verificationStatus: { coding: [{ code: "entered-in-error" }] }
    })
  ),
  Medication: texts({ resourceType: "Medication", id: "m", code: { text: "Lisinopril 10 MG Oral Tablet" } }),
  MedicationRequest: texts(
    {
      resourceType: "MedicationRequest",
      id: "named",
      status: "active",
      intent: "order",
      medicationReference: { reference: "Medication/m" },
      authoredOn: "2026-09-16",
      dosageInstruction: [{ text: "1 tablet daily" }]
    },
    {
      resourceType: "MedicationRequest",
      id: "undosed",
      status: "active",
      intent: "order",
      medicationCodeableConcept: { text: "Inhaler" },
      authoredOn: "2026-09-15"
    }
  ),
  Observation: texts(
    glucose("g1", "2024-01-05", quantity("91.0")),
    glucose("g2", "2025-01-05", quantity("5.1", "mmol/L")),
    glucose("g3", "2025-06-05", quantity("40", "mg/dL", { comparator: "<" })),
    glucose("g4", "2026-06-03", quantity("76.50"), {
      interpretation: [{ coding: [{ code: "L" }] }],
      referenceRange: [{ low: { value: "#70.0", unit: "mg/dL" }, high: { value: "#110", unit: "mg/dL" } }],
      text: { status: "generated", div: "<div>As the laboratory <b>wrote</b> it</div>" }
    }),
    glucose("g5", "2025-09-03", quantity("84")),
    {
      resourceType: "Observation",
      id: "bp",
      status: "final",
      category: category("vital-signs"),
      code: loinc("85354-9", "Blood Pressure"),
      effectiveDateTime: "2026-09-16T10:00:00-07:00",
      component: [
        { code: loinc("8462-4", "Diastolic"), ...quantity("86", "mm[Hg]") },
        { code: loinc("8480-6", "Systolic"), ...quantity("135", "mm[Hg]") }
      ]
    }
  )
}
