import type { Document } from "../../../src/domain/Document.ts"
import { documentsWords } from "./Words.ts"

/** The service's title of a release begins so. The name at its end is whom the release is for. */
const prefix = "Release of information to "

/** The title of an upload, or the words of the page's language and the name for a release. */
export const titleOf = ({ kind, title }: Pick<Document, "kind" | "title">) =>
  kind === "roi" && title.startsWith(prefix) ? documentsWords().releases.to(title.slice(prefix.length)) : title
