import type { Location } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { codeText } from "./Coding.ts"
import { labelled } from "./Labels.ts"
import { each, joined, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reference } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** A place of care. Its title is its name, not its type, which many places share. */
export const location = typedReader<Location>({
  place: () => ({ section: "other", group: "Location", groupTitle: "Locations" }),
  title: ({ description, name, type }) => text(name) ?? text(description) ?? each(type, codeText),
  parts: (place, { titleOf }) => ({
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
  })
})
