import type { ScopeCategory } from "../../domain/SmartScope.ts"

/** The categories of US Core 8 whose codes mean little to a person, by code system. Each has words on the page. */
const categories = {
  "http://hl7.org/fhir/us/core/CodeSystem/careplan-category": { "assess-plan": "assessmentAndPlan" },
  "http://hl7.org/fhir/us/core/CodeSystem/condition-category": { "health-concern": "healthConcern" },
  "http://hl7.org/fhir/us/core/CodeSystem/us-core-category": {
    "care-experience-preference": "careWish",
    "cognitive-status": "memoryAndThinking",
    "disability-status": "disability",
    "functional-status": "dailyActivities",
    "sdoh": "livingConditions",
    "treatment-intervention-preference": "treatmentWish"
  },
  "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category": { "clinical-note": "clinicalNote" },
  "http://loinc.org": { "LP29684-5": "radiology", "LP29708-2": "cardiology", "LP7839-6": "pathology" },
  "http://snomed.info/sct": {
    "108252007": "laboratory",
    "363679005": "imaging",
    "387713003": "surgery",
    "409063005": "counseling",
    "409073007": "education"
  },
  "http://terminology.hl7.org/CodeSystem/condition-category": {
    "encounter-diagnosis": "visitDiagnosis",
    "problem-list-item": "problemList"
  },
  "http://terminology.hl7.org/CodeSystem/observation-category": {
    "activity": "activity",
    "exam": "exam",
    "imaging": "imaging",
    "laboratory": "laboratory",
    "procedure": "procedure",
    "social-history": "socialHistory",
    "survey": "survey",
    "therapy": "therapy",
    "vital-signs": "vitalSigns"
  },
  "http://terminology.hl7.org/CodeSystem/v2-0074": { "LAB": "laboratory" }
} as const

type NamesOf<System> = System extends unknown ? System[keyof System] : never

export type CategoryName = NamesOf<typeof categories[keyof typeof categories]>

const names: ReadonlyMap<string, CategoryName> = new Map(
  Object.entries(categories).flatMap(([system, codes]) =>
    Object.entries(codes).map(([code, name]) => [`${system}|${code}`, name] as const)
  )
)

/** Returns undefined for a category of another system: its code is shown as the app wrote it. */
export const categoryName = ({ code, system }: ScopeCategory): CategoryName | undefined =>
  names.get(`${system}|${code}`)
