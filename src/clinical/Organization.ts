import type { Organization } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { codeText } from "./Coding.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reference } from "./Reference.ts"
import { notInUse } from "./Words.ts"

/** A hospital, practice or payer. Its title is its name, not its type, which many organizations share. */
export const organization = typedReader<Organization>({
  place: () => ({ section: "other", group: "Organization", groupTitle: "Organizations" }),
  title: ({ name, type }) => text(name) ?? each(type, codeText),
  parts: (house, { titleOf }) => ({
    status: notInUse(house.active),
    details: labelled({
      Type: text(house.name) && each(house.type, codeText),
      "Other names": each(house.alias, text),
      Identifier: each(house.identifier, identifier),
      Contact: each(house.telecom, contactPoint),
      Address: each(house.address, address),
      "Part of": reference(house.partOf, titleOf)
    })
  })
})
