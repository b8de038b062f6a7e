import { validateResource } from "@medplum/core"
import { assert } from "vitest"
import type { Answer } from "../../support/Client.ts"
import { loadProfiles } from "../../support/FhirProfiles.ts"

loadProfiles()

/**
 * Validates what the service wrote against FHIR's own definitions. Resources in a bundle come from upstream and
 * are left out, except for Patients, which may be generated.
 */
export const assertValid = (written: any) => {
  const judged = written.resourceType !== "Bundle" || written.entry === undefined ? written : {
    ...written,
    entry: written.entry.map((entry: any) =>
      ["match", "include"].includes(entry.search?.mode) && entry.resource.resourceType !== "Patient"
        ? { ...entry, resource: { resourceType: "Basic", id: "x", code: { text: "x" } } }
        : entry
    )
  }
  const issues = validateResource(judged).filter(({ severity }) => severity === "error" || severity === "fatal")
  assert.deepStrictEqual(issues, [])
}

/** Asserts that the body is exactly an OperationOutcome with this one error. */
export const assertOutcome = (answer: Answer, code: string, text: string) => {
  assert.deepStrictEqual(answer.json, {
    resourceType: "OperationOutcome",
    id: answer.headers.get("x-request-id"),
    issue: [{ severity: "error", code, details: { text } }]
  })
  assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json; charset=utf-8")
  assertValid(answer.json)
}
