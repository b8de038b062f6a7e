import type { ScopeCategory } from "./SmartScope.ts"

/** Plain names, by code system and code, for the categories of US Core 8 whose codes mean little to a person. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "http://hl7.org/fhir/us/core/CodeSystem/careplan-category": { "assess-plan": "assessment and plan" },
    "http://hl7.org/fhir/us/core/CodeSystem/condition-category": { "health-concern": "health concern" },
    "http://hl7.org/fhir/us/core/CodeSystem/us-core-category": {
      "care-experience-preference": "wish about care",
      "cognitive-status": "memory and thinking",
      "disability-status": "disability",
      "functional-status": "daily activities",
      "sdoh": "living conditions",
      "treatment-intervention-preference": "wish about treatment"
    },
    "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category": { "clinical-note": "clinical note" },
    "http://loinc.org": { "LP29684-5": "radiology", "LP29708-2": "cardiology", "LP7839-6": "pathology" },
    "http://snomed.info/sct": {
      "108252007": "laboratory",
      "363679005": "imaging",
      "387713003": "surgery",
      "409063005": "counselling",
      "409073007": "education"
    },
    "http://terminology.hl7.org/CodeSystem/condition-category": {
      "encounter-diagnosis": "diagnosis of a visit",
      "problem-list-item": "problem list"
    },
    "http://terminology.hl7.org/CodeSystem/observation-category": {
      "social-history": "social history",
      "vital-signs": "vital signs"
    },
    "http://terminology.hl7.org/CodeSystem/v2-0074": { "LAB": "laboratory" }
  }).flatMap(([system, codes]) => Object.entries(codes).map(([code, text]) => [`${system}|${code}`, text] as const))
)

/** Names a category for people. An unknown category keeps its code, exactly as the app wrote it. */
export const wordsForCategory = ({ code, system }: ScopeCategory): string => words.get(`${system}|${code}`) ?? code
