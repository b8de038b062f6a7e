import type { Document } from "../../domain/Document.ts"
import { fileName } from "../../domain/DocumentFileName.ts"

export const ownAttachments = { authorization: "authorization.json", record: "record.fhir.json" } as const

/**
 * Names the documents of a release. No two names are equal, even on a disk that ignores case, so that all can be saved
 * in one folder. A repeated name gets a number, as in `letter (2).pdf`.
 */
export const attachmentNames = (
  documents: ReadonlyArray<Pick<Document, "contentType" | "title">>
): ReadonlyArray<string> => {
  const taken = new Set<string>(Object.values(ownAttachments))
  return documents.map((document) => {
    const name = fileName(document)
    const dot = name.lastIndexOf(".")
    for (let number = 1;; number++) {
      const candidate = number === 1 ? name : `${name.slice(0, dot)} (${number})${name.slice(dot)}`
      const key = candidate.normalize("NFKC").toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return candidate
    }
  })
}
