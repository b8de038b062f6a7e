import { CCDA_TEMPLATE_IDS } from "@medplum/ccda"
import { timeOf } from "./CcdaCode.ts"
import type { CcdaSource } from "./CcdaDocument.ts"
import { type Element, escaped, xmlOf } from "./CcdaXml.ts"

const noInformation = { "@_nullFlavor": "NI" }

/** Codes of HL7's AdministrativeGender. FHIR's `other` and `unknown` have none that says the same. */
const genders = new Map([["female", "F"], ["male", "M"]])

const service = "Veteran Records Sharing Service"

/** The document up to its first section. It names the person of the authorization. */
export const headerXml = (
  { documentId, signedAt, veteran }: Pick<CcdaSource, "documentId" | "signedAt" | "veteran">,
  gender: unknown
): string => {
  const signed = { "@_value": timeOf(signedAt) }
  const known = genders.get(String(gender))
  const header: Element = {
    realmCode: { "@_code": "US" },
    typeId: { "@_root": "2.16.840.1.113883.1.3", "@_extension": "POCD_HD000040" },
    templateId: CCDA_TEMPLATE_IDS,
    id: { "@_root": documentId },
    code: {
      "@_code": "34133-9",
      "@_codeSystem": "2.16.840.1.113883.6.1",
      "@_codeSystemName": "LOINC",
      "@_displayName": "Summarization of Episode Note"
    },
    title: "Released health record, translated from FHIR",
    effectiveTime: signed,
    // Whether the release has specially protected information is for the authorization to say.
    confidentialityCode: { "@_code": "R", "@_codeSystem": "2.16.840.1.113883.5.25" },
    languageCode: { "@_code": "en-US" },
    recordTarget: {
      patientRole: {
        id: { "@_root": documentId, "@_extension": "patient" },
        addr: noInformation,
        telecom: noInformation,
        patient: {
          name: veteran.fullName,
          administrativeGenderCode: known === undefined
            ? noInformation
            : { "@_code": known, "@_codeSystem": "2.16.840.1.113883.5.1" },
          birthTime: { "@_value": timeOf(veteran.dateOfBirth) },
          raceCode: noInformation,
          ethnicGroupCode: noInformation
        }
      }
    },
    author: {
      time: signed,
      assignedAuthor: {
        id: noInformation,
        addr: noInformation,
        telecom: noInformation,
        assignedAuthoringDevice: { manufacturerModelName: service, softwareName: service }
      }
    },
    custodian: {
      assignedCustodian: {
        representedCustodianOrganization: {
          id: noInformation,
          name: service,
          telecom: noInformation,
          addr: noInformation
        }
      }
    }
  }
  const written = xmlOf("ClinicalDocument", header)
  const inner = written.slice("<ClinicalDocument>".length, -"</ClinicalDocument>".length)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ClinicalDocument ${namespaces}>${inner}<component><structuredBody>`
}

const namespaces = [
  ["xmlns", "urn:hl7-org:v3"],
  ["xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"],
  ["xmlns:sdtc", "urn:hl7-org:sdtc"]
].map(([name, value]) => `${name}="${escaped(value!)}"`).join(" ")
