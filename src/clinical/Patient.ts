import type { Patient, PatientCommunication, PatientContact } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { inlineFiles } from "./Attachment.ts"
import { codeText } from "./Coding.ts"
import { wordsOf } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { humanName } from "./HumanName.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, members, text } from "./Members.ts"
import type { Reader } from "./Reader.ts"
import { reference, references } from "./Reference.ts"
import { codeWords, notInUse } from "./Words.ts"

/** Prefers the name whose `use` is `official`, then `usual`, then the first that is neither `old` nor `maiden`. */
const names = (json: unknown) => {
  const all = list(members<Patient>(json).name)
  const use = (name: unknown) => text(members<{ readonly use: string }>(name).use)
  const called = all.find((name) => use(name) === "official") ?? all.find((name) => use(name) === "usual") ??
    all.find((name) => use(name) !== "old" && use(name) !== "maiden") ?? all[0]
  return { called, others: all.filter((name) => name !== called) }
}

/** Codes of HL7 v2 table 0131, which are mostly sent without words. */
const relationships: ReadonlyMap<string, string> = new Map([
  ["C", "Emergency contact"],
  ["E", "Employer"],
  ["N", "Next of kin"]
])

const contact = (json: unknown) => {
  const { name, relationship, telecom } = members<PatientContact>(json)
  return joined([humanName(name), each(relationship, (one) => wordsOf(one, relationships)),
    each(telecom, contactPoint)])
}

const language = (json: unknown) => codeText(members<PatientCommunication>(json).language)

/** The patient. Identifiers stay as recorded, masked if the source masks them. */
export const patient: Reader = {
  place: () => ({ section: "other", group: "Patient", groupTitle: "Patient" }),
  title: ({ json }) => humanName(names(json).called),
  parts: ({ json, titleOf }) => {
    const person = members<Patient>(json)
    const died = dateText(person.deceasedDateTime)
    return {
      status: notInUse(person.active),
      details: labelled({
        Born: dateText(person.birthDate),
        Sex: codeWords(person.gender),
        Died: died,
        "Other names": each(names(json).others, humanName),
        Identifiers: each(person.identifier, identifier, "\n"),
        Contact: each(person.telecom, contactPoint),
        Address: each(person.address, address, "\n"),
        Languages: each(person.communication, language),
        "General practitioner": references(person.generalPractitioner, titleOf),
        Organization: reference(person.managingOrganization, titleOf),
        "Persons to contact": each(person.contact, contact, "\n")
      }),
      flags: died !== null || person.deceasedBoolean === true ? ["Deceased"] : [],
      files: inlineFiles(person.photo, "Photograph")
    }
  }
}
