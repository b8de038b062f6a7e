/** What the FHIR R4 shapes of one consent share (contract, part 13): code systems, codings and references. */

export const systems = {
  loinc: "http://loinc.org",
  actCode: "http://terminology.hl7.org/CodeSystem/v3-ActCode",
  actReason: "http://terminology.hl7.org/CodeSystem/v3-ActReason",
  consentAction: "http://terminology.hl7.org/CodeSystem/consentaction",
  consentPolicy: "http://terminology.hl7.org/CodeSystem/consentpolicycodes",
  consentScope: "http://terminology.hl7.org/CodeSystem/consentscope",
  completion: "http://terminology.hl7.org/CodeSystem/v3-DocumentCompletion",
  dicom: "http://dicom.nema.org/resources/ontology/DCM",
  entityRole: "http://terminology.hl7.org/CodeSystem/object-role",
  entityType: "http://terminology.hl7.org/CodeSystem/audit-entity-type",
  npi: "http://hl7.org/fhir/sid/us-npi",
  observationValue: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
  participation: "http://terminology.hl7.org/CodeSystem/v3-ParticipationType",
  patientShared: "https://cms.gov/fhir/CodeSystem/patient-shared-category",
  provenanceAgent: "http://terminology.hl7.org/CodeSystem/provenance-participant-type",
  resourceTypes: "http://hl7.org/fhir/resource-types",
  securitySource: "http://terminology.hl7.org/CodeSystem/security-source-type",
  signatureType: "urn:iso-astm:E1762-95:2013",
  uri: "urn:ietf:rfc:3986",
  /** The object identifier of SHA-256 (NIST). */
  sha256: "urn:oid:2.16.840.1.101.3.4.2.1",
  /** The hash of a leaf of the Merkle tree, in hex. */
  leafHash: "urn:ietf:rfc:6962"
} as const

export interface Coding {
  readonly system: string
  readonly code: string
  readonly display?: string
}

export const coding = (system: keyof typeof systems, code: string, display?: string): Coding => ({
  system: systems[system],
  code,
  ...display !== undefined && { display }
})

export const concept = (...codings: ReadonlyArray<Coding>) => ({ coding: codings })

/** A reference to an entry of the same bundle by its `fullUrl`, or to something outside by an identifier. */
export interface Reference {
  readonly reference?: string
  readonly type?: string
  readonly identifier?: { readonly system: string; readonly value: string }
  readonly display?: string
}

/** The name under which the service stands in every shape. */
export const serviceName = "Veteran Records Sharing Service"

/** The service outside of a bundle that contains its Organization. */
export const serviceReference = (base: string): Reference => ({
  type: "Organization",
  identifier: { system: systems.uri, value: base },
  display: serviceName
})

/** The consent to release information, as a document or a category of consents. */
export const releaseConsent = coding("loinc", "64292-6", "Release of information consent")

export const patientShared = coding("patientShared", "patient-shared", "Patient Shared")

/** The categories of `SensitiveCategory.ts`, in their order. */
const labels: Readonly<Record<string, Coding>> = {
  drug_abuse: coding("actCode", "SUD", "substance use disorder information sensitivity"),
  alcohol_abuse: coding("actCode", "ETHUD", "alcohol substance abuse information sensitivity"),
  hiv: coding("actCode", "HIV", "HIV/AIDS information sensitivity"),
  sickle_cell: coding("actCode", "SICKLE", "sickle cell information sensitivity")
}

/** The security labels of categories of 38 U.S.C. 7332, in the order of the table. */
export const labelsOf = (categories: ReadonlyArray<string>) =>
  Object.entries(labels).flatMap(([category, label]) => categories.includes(category) ? [label] : [])

export const otherLabels = (categories: ReadonlyArray<string>) =>
  Object.entries(labels).flatMap(([category, label]) => categories.includes(category) ? [] : [label])

const purposes: Readonly<Record<string, Coding>> = {
  treatment: coding("actReason", "TREAT", "treatment"),
  benefits: coding("actReason", "COVERAGE", "coverage under policy or program"),
  legal: coding("actReason", "HLEGAL", "legal")
}

const atPatientsRequest = coding("actReason", "PATRQT", "patient requested")

/** A purpose of an authorization. Those of grants are free text, which counts as the patient's request. */
export const purposeOf = (code: string | undefined) => purposes[code ?? ""] ?? atPatientsRequest
