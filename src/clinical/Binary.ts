import type { Attachment, Binary } from "fhir/r4.js"
import { attachment, inlineFiles } from "./Attachment.ts"
import { labelled } from "./Labels.ts"
import { members } from "./Members.ts"
import type { Reader } from "./Reader.ts"

const asAttachment = (json: unknown): { readonly [Name in keyof Attachment]: unknown } => {
  const { contentType, data } = members<Binary>(json)
  return { contentType, data }
}

const title = "File"

/** The content of a document that another resource may refer to. */
export const binary: Reader = {
  place: () => ({ section: "documents", group: "", groupTitle: null }),
  title: () => title,
  parts: ({ json }) => ({
    details: labelled({ File: attachment(asAttachment(json)) }),
    files: inlineFiles(asAttachment(json), title)
  })
}
