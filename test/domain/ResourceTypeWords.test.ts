import { assert, test } from "vitest"
import { inWords } from "../../src/domain/ResourceTypeWords.ts"

test.each([
  [["Condition"], "Conditions"],
  [["MedicationRequest", "Condition"], "Conditions and Medications"],
  [["ServiceRequest", "AllergyIntolerance", "Immunization"], "Allergies, Immunizations, and Service requests"],
  [["MedicationDispense", "DiagnosticReport"], "Medications dispensed and Test reports"],
  [["Media", "BodySite", "ResearchStudy", "Goals"], "Body sites, Goals, Medias, and Research studies"]
])("%j is called %s", (types, words) => {
  assert.strictEqual(inWords(types), words)
})
