import { memo, useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { usePrinting } from "../../shared/Printing.ts"
import type { SharedDocument } from "../../shared/record/Messages.ts"
import { addressOf } from "../Route.ts"

const few = 5

/** The files that the patient shares, each with a link to its page. */
export const SharedDocuments = memo(({ documents, veteranId }: {
  readonly documents: ReadonlyArray<SharedDocument>
  readonly veteranId: string
}) => {
  const [isAsked, setWhole] = useState(false)
  const isPrinted = usePrinting() !== undefined
  const isWhole = isAsked || isPrinted
  if (documents.length === 0) return null
  return (
    <section className="card stack tight">
      <h2>Documents</h2>
      <ul className="glance-list">
        {documents.slice(0, isWhole ? documents.length : few).map(({ byteSize, createdAt, id, kind, title }) => (
          <li key={id}>
            <a href={addressOf({ screen: "document", veteranId, documentId: id })}>
              <bdi>{title}</bdi>
            </a>
            <span className="about soft">
              {kind === "roi" ? "Signed release" : "From the patient"}, {dayWords(new Date(createdAt))},{" "}
              {sizeWords(byteSize)}
            </span>
          </li>
        ))}
      </ul>
      {isWhole || documents.length <= few ?
        null :
        <button type="button" className="link" onClick={() => setWhole(true)}>Show all {documents.length}</button>}
    </section>
  )
})
