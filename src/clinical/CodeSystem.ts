const names: ReadonlyMap<string, string> = new Map([
  ["http://loinc.org", "LOINC"],
  ["http://snomed.info/sct", "SNOMED CT"],
  ["http://www.nlm.nih.gov/research/umls/rxnorm", "RxNorm"],
  ["http://hl7.org/fhir/sid/icd-10-cm", "ICD-10-CM"],
  ["http://hl7.org/fhir/sid/icd-10-pcs", "ICD-10-PCS"],
  ["http://www.cms.gov/medicare/coding/icd10", "ICD-10-PCS"],
  ["http://hl7.org/fhir/sid/icd-10", "ICD-10"],
  ["http://hl7.org/fhir/sid/icd-9-cm", "ICD-9-CM"],
  ["http://hl7.org/fhir/sid/icd-9", "ICD-9"],
  ["http://hl7.org/fhir/sid/cvx", "CVX"],
  ["http://hl7.org/fhir/sid/mvx", "MVX"],
  ["http://hl7.org/fhir/sid/ndc", "NDC"],
  ["http://hl7.org/fhir/ndfrt", "NDF-RT"],
  ["http://www.nlm.nih.gov/research/umls/ndfrt", "NDF-RT"],
  ["http://fdasis.nlm.nih.gov", "UNII"],
  ["http://www.ama-assn.org/go/cpt", "CPT"],
  ["http://www.whocc.no/atc", "ATC"],
  ["http://unitsofmeasure.org", "UCUM"],
  ["http://www.genenames.org", "HGNC"],
  ["http://www.ada.org/cdt", "CDT"],
  ["http://nucc.org/provider-taxonomy", "NUCC"],
  ["http://hl7.org/fhir/sid/us-npi", "NPI"],
  ["http://hl7.org/fhir/sid/us-ssn", "SSN"],
  ["http://dicom.nema.org/resources/ontology/dcm", "DICOM"],
  ["urn:oid:2.16.840.1.113883.6.1", "LOINC"],
  ["urn:oid:2.16.840.1.113883.6.96", "SNOMED CT"],
  ["urn:oid:2.16.840.1.113883.6.88", "RxNorm"],
  ["urn:oid:2.16.840.1.113883.6.90", "ICD-10-CM"],
  ["urn:oid:2.16.840.1.113883.6.103", "ICD-9-CM"],
  ["urn:oid:2.16.840.1.113883.12.292", "CVX"],
  ["urn:oid:2.16.840.1.113883.6.12", "CPT"],
  ["urn:oid:2.16.840.1.113883.6.69", "NDC"],
  ["urn:oid:2.16.840.1.113883.6.233", "VA VUID"],
  ["urn:ietf:bcp:47", "Language"],
  ["urn:ietf:rfc:3986", "URI"]
])

const hl7 = /^https?:\/\/(?:terminology\.)?hl7\.org\/(?:fhir\/)?(?:uv\/ips\/)?(?:CodeSystem\/)?([a-z0-9-]+)$/i

/** Whether the system is HL7's own, whose codes are plain words: `in-progress`. */
export const isHl7 = (system: string): boolean => hl7.test(system)

/** The common name of a code system: `LOINC`, the end of an HL7 URL, or the whole of any other URL. */
export const systemName = (system: string): string => {
  const address = system.replace(/\/$/, "").replace(/^https:/, "http:")
  return names.get(address) ?? names.get(address.toLowerCase()) ?? hl7.exec(address)?.[1] ?? system
}
