import type { Document } from "../../domain/Document.ts"
import { fileName, notADevice } from "../../domain/DocumentFileName.ts"
import { uniqueNames } from "../document/UniqueNames.ts"
import { dayOf } from "../platform/Instants.ts"

/** Windows takes no such character in the name of a file, and each system has one that separates folders. */
const refused = /[\p{C}<>:"/\\|?*]/gu

/** Names files so that each system can unpack them into one folder, the document's title in them. */
export const documentNames = (documents: ReadonlyArray<Document>): ReadonlyArray<string> =>
  uniqueNames(documents.map((document) =>
    document.kind === "roi"
      ? `release-of-information-${dayOf(document.signedAt!)}.pdf`
      : fileName({ ...document, title: document.title.replaceAll(refused, "_") })
  ))

/** Only the form of a type's name is checked when it is stored, and two may differ in case alone. */
export const typeNames = (resourceTypes: ReadonlyArray<string>): ReadonlyArray<string> =>
  uniqueNames(resourceTypes.map((type) => `${notADevice(type)}.ndjson`))
