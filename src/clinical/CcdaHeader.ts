import { CCDA_TEMPLATE_IDS } from "@medplum/ccda"
import type { HumanName, Patient } from "fhir/r4.js"
import type { CcdaPatient } from "./CcdaAbout.ts"
import { timeOf, unknown } from "./CcdaCode.ts"
import type { CcdaSource } from "./CcdaSource.ts"
import { type Element, escaped, xmlOf } from "./CcdaXml.ts"
import { list, members, text } from "./Members.ts"

const noInformation = { "@_nullFlavor": "NI" }

/** Codes of HL7's AdministrativeGender. FHIR's `other` and `unknown` have none that says the same. */
const genders = new Map([["female", "F"], ["male", "M"]])

const service = {
  id: noInformation,
  name: "Veteran Records Sharing Service",
  telecom: noInformation,
  addr: noInformation
}

/** The document up to its first section. It names the person of the authorization. */
export const headerXml = (source: CcdaSource, patient: CcdaPatient | undefined): string => {
  const { dateFrom, dateTo, documentId, signedAt, veteran } = source
  const signed = { "@_value": timeOf(signedAt) }
  const { gender, name } = members<Patient>(patient?.json)
  const known = genders.get(text(gender) ?? "")
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
          name: nameOf(veteran.fullName, name),
          administrativeGenderCode: known === undefined
            ? noInformation
            : { "@_code": known, "@_codeSystem": "2.16.840.1.113883.5.1" },
          birthTime: { "@_value": timeOf(veteran.dateOfBirth) },
          "sdtc:deceasedInd": patient?.died ? { "@_value": "true" } : undefined,
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
        assignedAuthoringDevice: { manufacturerModelName: service.name, softwareName: service.name },
        representedOrganization: service
      }
    },
    custodian: { assignedCustodian: { representedCustodianOrganization: service } },
    // The time that a CCD is about.
    documentationOf: {
      serviceEvent: {
        "@_classCode": "PCPR",
        effectiveTime: {
          low: dateFrom === null ? unknown : { "@_value": timeOf(dateFrom) },
          high: dateTo === null ? signed : { "@_value": timeOf(dateTo) }
        }
      }
    }
  }
  const written = xmlOf("ClinicalDocument", header)
  const inner = written.slice("<ClinicalDocument>".length, -"</ClinicalDocument>".length)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ClinicalDocument ${namespaces}>${inner}<component><structuredBody>`
}

/** The parts of a name, if the record has the signed name in parts. Nobody knows the parts of any other name. */
const nameOf = (fullName: string, names: unknown): Element => {
  for (const one of list(names)) {
    const { family, given } = members<HumanName>(one)
    const [first, last] = [list(given).flatMap((part) => text(part) ?? []), text(family)]
    if (first.length > 0 && last !== null && [...first, last].join(" ") === fullName) {
      return { given: first, family: last }
    }
  }
  return { given: unknown, family: fullName }
}

const namespaces = [
  ["xmlns", "urn:hl7-org:v3"],
  ["xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"],
  ["xmlns:sdtc", "urn:hl7-org:sdtc"]
].map(([name, value]) => `${name}="${escaped(value!)}"`).join(" ")
