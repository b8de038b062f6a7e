import { allergyIntolerance } from "./AllergyIntolerance.ts"
import { anyResource } from "./AnyResource.ts"
import { binary } from "./Binary.ts"
import { carePlan } from "./CarePlan.ts"
import { careTeam } from "./CareTeam.ts"
import { condition } from "./Condition.ts"
import { coverage } from "./Coverage.ts"
import { device } from "./Device.ts"
import { deviceUseStatement } from "./DeviceUseStatement.ts"
import { documentReference } from "./DocumentReference.ts"
import { encounter } from "./Encounter.ts"
import { goal } from "./Goal.ts"
import { immunization } from "./Immunization.ts"
import { location } from "./Location.ts"
import { medication } from "./Medication.ts"
import { medicationAdministration } from "./MedicationAdministration.ts"
import { medicationDispense } from "./MedicationDispense.ts"
import { medicationRequest } from "./MedicationRequest.ts"
import { medicationStatement } from "./MedicationStatement.ts"
import { organization } from "./Organization.ts"
import { patient } from "./Patient.ts"
import { practitioner } from "./Practitioner.ts"
import { procedure } from "./Procedure.ts"
import type { Reader } from "./Reader.ts"
import { serviceRequest } from "./ServiceRequest.ts"

/** What reads each type; every other type is read by `anyResource`. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["AllergyIntolerance", allergyIntolerance],
  ["Binary", binary],
  ["CarePlan", carePlan],
  ["CareTeam", careTeam],
  ["Condition", condition],
  ["Coverage", coverage],
  ["Device", device],
  ["DeviceUseStatement", deviceUseStatement],
  ["DocumentReference", documentReference],
  ["Encounter", encounter],
  ["Goal", goal],
  ["Immunization", immunization],
  ["Location", location],
  ["Medication", medication],
  ["MedicationAdministration", medicationAdministration],
  ["MedicationDispense", medicationDispense],
  ["MedicationRequest", medicationRequest],
  ["MedicationStatement", medicationStatement],
  ["Organization", organization],
  ["Patient", patient],
  ["Practitioner", practitioner],
  ["Procedure", procedure],
  ["ServiceRequest", serviceRequest]
])

export const readerOf = (resourceType: string): Reader => readers.get(resourceType) ?? anyResource
