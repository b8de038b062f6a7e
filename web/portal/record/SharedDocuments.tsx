import { memo } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import type { SharedDocument } from "../../shared/record/Messages.ts"
import { FirstLines } from "../../shared/ui/FirstLines.tsx"
import { addressOf } from "../Route.ts"

/** The files that the patient shares, each with a link to its page. */
export const SharedDocuments = memo(({ documents, veteranId }: {
  readonly documents: ReadonlyArray<SharedDocument>
  readonly veteranId: string
}) =>
  documents.length === 0 ? null : (
    <section className="card stack tight">
      <h2>Documents</h2>
      <FirstLines of={documents} few={5} all={`Show all ${documents.length}`}>
        {({ byteSize, createdAt, id, kind, title }) => (
          <>
            <a href={addressOf({ screen: "document", veteranId, documentId: id })}>
              <bdi>{title}</bdi>
            </a>
            <span className="about soft">
              {kind === "roi" ? "Signed release" : "From the patient"}, {dayWords(new Date(createdAt))},{" "}
              {sizeWords(byteSize)}
            </span>
          </>
        )}
      </FirstLines>
    </section>
  )
)
