import type { Location } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { codeText } from "./Coding.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members, text } from "./Members.ts"
import type { Reader } from "./Reader.ts"
import { reference } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** A place of care. Its title is its name, not its type, which many places share. */
export const location: Reader = {
  place: () => ({ section: "other", group: "Location", groupTitle: "Locations" }),
  title: ({ json }) => {
    const { description, name, type } = members<Location>(json)
    return text(name) ?? text(description) ?? each(type, codeText)
  },
  parts: ({ json, titleOf }) => {
    const place = members<Location>(json)
    return {
      status: joined([codeWords(place.status), codeText(place.operationalStatus)]),
      details: labelled({
        Description: text(place.name) && text(place.description),
        Type: joined([each(place.type, codeText), codeText(place.physicalType)]),
        "Other names": each(place.alias, text),
        Contact: each(place.telecom, contactPoint),
        Address: address(place.address),
        Organization: reference(place.managingOrganization, titleOf),
        "Part of": reference(place.partOf, titleOf)
      })
    }
  }
}
