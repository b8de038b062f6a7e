import type { Patient, PatientCommunication, PatientContact, PatientLink } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { inlineFiles } from "./Attachment.ts"
import { codeText } from "./Coding.ts"
import { wordsOf } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { humanName, namesOf } from "./HumanName.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members, text } from "./Members.ts"
import { isTrue } from "./Modifiers.ts"
import { typedReader } from "./Reader.ts"
import { reference, references, type TitleOf } from "./Reference.ts"
import { codeWords, notInUse } from "./Words.ts"

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

/** The words of a link from this record to another one about the same person. */
const linkWords: ReadonlyMap<string, string> = new Map([
  ["refer", "More is in"],
  ["replaced-by", "Replaced by"],
  ["replaces", "Replaces"],
  ["seealso", "See also"]
])

const link = (json: unknown, titleOf: TitleOf) => {
  const { other, type } = members<PatientLink>(json)
  return joined([linkWords.get(text(type) ?? "") ?? text(type), reference(other, titleOf)], ": ")
}

const language = (json: unknown) => codeText(members<PatientCommunication>(json).language)

/** The patient. Identifiers stay as recorded, masked if the source masks them. */
export const patient = typedReader<Patient>({
  place: () => ({ section: "other", group: "Patient", groupTitle: "Patient" }),
  title: ({ name }) => humanName(namesOf(name).called),
  parts: (person, { titleOf }) => {
    const { others } = namesOf(person.name)
    return {
      status: notInUse(person.active),
      details: labelled({
        Born: dateText(person.birthDate),
        Sex: codeWords(person.gender),
        Died: dateText(person.deceasedDateTime) ?? (isTrue(person.deceasedBoolean) ? "Yes" : null),
        "Other names": each(others, humanName),
        Identifiers: each(person.identifier, identifier, "\n"),
        Contact: each(person.telecom, contactPoint),
        Address: each(person.address, address, "\n"),
        Languages: each(person.communication, language),
        "General practitioner": references(person.generalPractitioner, titleOf),
        Organization: reference(person.managingOrganization, titleOf),
        "Persons to contact": each(person.contact, contact, "\n"),
        "Other records": each(person.link, (one) => link(one, titleOf), "\n")
      }),
      files: inlineFiles(person.photo, "Photograph")
    }
  }
})
