import type { Document } from "../../../src/domain/Document.ts"
import { dayWords } from "../../shared/Dates.ts"
import { fileKindWords } from "../../shared/document/FileKind.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { Ways } from "./Ways.tsx"
import { useDocumentsWords } from "./Words.ts"

/** The photos and files that the veteran added. */
export const Uploads = ({ documents, hasMore, off, onRemove }: {
  readonly documents: ReadonlyArray<Document>
  readonly hasMore: boolean
  readonly off: string | undefined
  readonly onRemove: (document: Document) => void
}) => {
  const { files } = useDocumentsWords()
  return (
    <section className="stack">
      <h2>{files.title}</h2>
      {documents.length === 0 ? <p>{hasMore ? files.noneSoFar : files.none}</p> : null}
      <ul className="cards">
        {documents.map((document) => {
          const { byteSize, contentType, createdAt, id, title } = document
          return (
            <li key={id} className="card stack">
              <div>
                <h3>
                  <bdi>{title}</bdi>
                </h3>
                <p className="soft">
                  {files.about(fileKindWords(contentType), sizeWords(byteSize), dayWords(createdAt))}
                </p>
              </div>
              <Ways document={document} label={title} offline={off} onRemove={onRemove} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
