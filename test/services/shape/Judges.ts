import { validateResource } from "@medplum/core"
import { Fhir } from "fhir"
import { assert } from "vitest"
import { loadProfiles } from "../../support/FhirProfiles.ts"

/** Two validators of FHIR R4 that this project did not write. */

loadProfiles()

const fhir = new Fhir()

/** Medplum's validator refuses more than 1 MiB of base64, which is the limit of Medplum's server and not of FHIR. */
const shortened = (resource: any): any =>
  JSON.parse(JSON.stringify(resource, (key, value) => key === "data" && value.length > 1_000_000 ? "AAAA" : value))

/** What each validator objects to in a resource. */
export const objections = (
  resource: any
): { readonly medplum: ReadonlyArray<string>; readonly fhir: ReadonlyArray<string> } => ({
  medplum: issuesOf(shortened(resource)),
  fhir: fhir.validate(resource, { errorOnUnexpected: true }).messages
    .filter(({ severity }) => severity === "error" || severity === "fatal")
    .map(({ location, message }) => `${location}: ${message}`)
})

const issuesOf = (resource: any) => {
  try {
    return validateResource(resource).filter(({ severity }) => severity === "error" || severity === "fatal")
      .map(({ details, expression }) => `${expression}: ${details?.text}`)
  } catch (error) {
    return [String(error)]
  }
}

export const assertValid = (resource: any) =>
  assert.deepStrictEqual(objections(resource), { medplum: [], fhir: [] }, resource.resourceType)

const ours = ["DocumentReference", "Consent", "Provenance", "Organization"]

/**
 * Validates a shared bundle: its frame, and each resource that the service wrote. `released` are the exact texts of the
 * released resources, which come from upstream and are not the service's to answer for. Returns what the service wrote.
 */
export const assertValidBundle = (json: string, released: ReadonlyArray<string>): ReadonlyArray<any> => {
  const { entry, ...frame } = JSON.parse(json)
  const theirs = new Set(released.map((text) => canonical(JSON.parse(text))))
  const written = entry.filter(({ resource }: any) => !theirs.has(canonical(resource)))
  const inPlace = { resourceType: "Basic", id: "x", code: { text: "in the place of a released resource" } }
  assertValid({
    ...frame,
    entry: entry.map(({ fullUrl, resource }: any) => ({
      fullUrl,
      resource: written.some((one: any) => one.resource === resource) ? resource : inPlace
    }))
  })
  for (const { resource } of written) {
    assert.include([...ours, "Patient"], resource.resourceType)
    assertValid(resource)
  }
  return written.map(({ resource }: any) => resource)
}

const canonical = (resource: unknown) => JSON.stringify(resource)
