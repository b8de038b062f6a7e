import type { Practitioner, PractitionerQualification } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { codeText } from "./Coding.ts"
import { humanName, humanNames, namesOf } from "./HumanName.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, members } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { notInUse } from "./Words.ts"

export const practitioner = typedReader<Practitioner>({
  place: () => ({ section: "other", group: "Practitioner", groupTitle: "Practitioners" }),
  title: ({ name }) => humanName(namesOf(name).called),
  parts: (person) => ({
    status: notInUse(person.active),
    details: labelled({
      "Other names": humanNames(namesOf(person.name).others),
      Qualification: each(person.qualification, (one) => codeText(members<PractitionerQualification>(one).code)),
      Identifier: each(person.identifier, identifier),
      Contact: each(person.telecom, contactPoint),
      Address: each(person.address, address)
    })
  })
})
