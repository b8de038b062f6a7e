import { assert, test } from "vitest"
import { inWords, wordsFor } from "../../src/domain/ResourceTypeWords.ts"

test.each([
  [["Condition"], "Conditions"],
  [["MedicationRequest", "Condition"], "Conditions and Medications"],
  [["ServiceRequest", "AllergyIntolerance", "Immunization"], "Allergies, Immunizations, and Service requests"],
  [["MedicationDispense", "DiagnosticReport"], "Medications dispensed and Test reports"],
  [["Media", "BodySite", "ResearchStudy", "Goals"], "Body sites, Goals, Pictures and recordings, and Research studies"],
  [["Observation", "MedicationRequest", "Condition"], "Conditions, Lab results, Medications, and Vital signs"],
  [["MedicationRequest", "Medication"], "Medication details and Medications"]
])("The list %j is called %s", (types, words) => {
  assert.strictEqual(inWords(types), words)
})

test.each([
  ["MedicationRequest", "Medications"],
  ["Observation", "Lab results and vital signs"],
  ["Procedure", "Procedures"],
  ["SupplyDelivery", "Supply deliveries"],
  ["Coverage", "Insurance coverage"],
  ["ExplanationOfBenefit", "Insurance statements"],
  ["Provenance", "Sources of the data"],
  ["X", "Xs"]
])("The type %s alone is called %s", (type, words) => {
  assert.strictEqual(wordsFor(type), words)
})
