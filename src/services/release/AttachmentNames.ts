import type { Document } from "../../domain/Document.ts"
import { fileName } from "../../domain/DocumentFileName.ts"
import { uniqueNames } from "../document/UniqueNames.ts"

export const ownAttachments = { authorization: "authorization.json", record: "record.fhir.json" } as const

/** Names the documents of a release, so that all can be saved in one folder. */
export const attachmentNames = (
  documents: ReadonlyArray<Pick<Document, "contentType" | "title">>
): ReadonlyArray<string> => uniqueNames(documents.map(fileName), Object.values(ownAttachments))
