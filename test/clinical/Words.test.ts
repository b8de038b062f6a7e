import { assert, describe, it } from "@effect/vitest"
import { systemName } from "../../src/clinical/CodeSystem.ts"
import { codeWords, words } from "../../src/clinical/Words.ts"

describe("Words", () => {
  it.each([
    ["entered-in-error", "Entered in error"],
    ["DiagnosticReport", "Diagnostic report"],
    ["birthDate", "Birth date"],
    ["onHold", "On hold"],
    ["final", "Final"]
  ])("of %s are %s", (name, text) => {
    assert.strictEqual(words(name), text)
  })

  it("Text that is not a code stays as it was sent", () => {
    assert.strictEqual(codeWords("See note 5, please"), "See note 5, please")
    assert.isNull(codeWords({}))
  })
})

describe("A code system", () => {
  it.each([
    ["http://loinc.org", "LOINC"],
    ["https://loinc.org/", "LOINC"],
    ["http://snomed.info/sct", "SNOMED CT"],
    ["http://www.nlm.nih.gov/research/umls/rxnorm", "RxNorm"],
    ["http://hl7.org/fhir/sid/icd-10-cm", "ICD-10-CM"],
    ["http://hl7.org/fhir/sid/cvx", "CVX"],
    ["http://terminology.hl7.org/CodeSystem/v3-ActCode", "v3-ActCode"],
    ["http://example.org/own", "http://example.org/own"]
  ])("%s is called %s", (system, name) => {
    assert.strictEqual(systemName(system), name)
  })
})
