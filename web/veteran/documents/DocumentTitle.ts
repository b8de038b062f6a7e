import { type Document, releaseTitle } from "../../../src/domain/Document.ts"
import { documentsWords } from "./Words.ts"

/** The title of an upload, or the words of the page's language and the name for a release. */
export const titleOf = ({ kind, title }: Pick<Document, "kind" | "title">) =>
  kind === "roi" && title.startsWith(releaseTitle)
    ? documentsWords().releases.to(title.slice(releaseTitle.length))
    : title
