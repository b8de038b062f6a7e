import type { Effect } from "effect"
import { useId, useMemo, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { fileName, releaseName } from "../../../src/domain/DocumentFileName.ts"
import { useRead } from "../../shared/Call.ts"
import { Preview } from "../../shared/document/Preview.tsx"
import { InOtherWords } from "../../shared/pdf/PdfWords.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import { useDocumentsWords } from "./Words.ts"

/** The bytes as they were uploaded or signed. */
const useContentOf = ({ id }: Document) => {
  const { call } = useSession()
  return useMemo(
    () => call(({ documents }) => documents.content({ params: { ...me, documentId: id } })) as Bytes,
    [call, id]
  )
}

type Bytes = Effect.Effect<Uint8Array<ArrayBuffer>, Problem>

/** The ways to read, save and remove a document. `label` tells screen readers which document it is. */
export const Ways = ({ document, label, offline, onRemove }: {
  readonly document: Document
  /** Why it cannot be removed now. */
  readonly offline: string | undefined
  /** Without one, it cannot be removed. */
  readonly onRemove: ((document: Document) => void) | undefined
  readonly label: string
}) => {
  const { busy, call, off, problem, send } = useOwnSending()
  const { pdf, ways } = useDocumentsWords()
  const content = useContentOf(document)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { kind, signedAt } = document
  const saved = (ending: "pdf" | "fhir.json") => signedAt === null ? fileName(document) : releaseName(signedAt, ending)
  const save = (bytes: Bytes, name: string) => send(bytes, (whole) => saveFile(whole, name))
  const params = { ...me, documentId: document.id }
  const record = saved("fhir.json")
  const others = kind !== "roi" ? [] : [
    [ways.saveRecord, call(({ documents }) => documents.record({ params })), record],
    [
      ways.saveShape,
      call(({ shapes }) => shapes.release({ params })),
      record.replace(".fhir", ".consent.fhir")
    ]
  ] as const
  return (
    <div className="stack document">
      <div className="actions ways">
        <Button
          kind="outline"
          aria-label={`${isOpen ? ways.hide : ways.show}, ${label}`}
          aria-expanded={isOpen}
          {...(isOpen ? { "aria-controls": id } : {})}
          busy={!isOpen && off !== undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? ways.hide : ways.show}
        </Button>
        <Button
          kind="outline"
          aria-label={`${ways.save}, ${label}`}
          busy={busy || off !== undefined}
          onClick={() => save(content, saved("pdf"))}
        >
          {ways.save}
        </Button>
        {onRemove === undefined ? null : (
          <Button
            kind="stop"
            aria-label={`${ways.remove}, ${label}`}
            busy={offline !== undefined}
            onClick={() => onRemove(document)}
          >
            {ways.remove}
          </Button>
        )}
      </div>
      {others.map(([words, bytes, name]) => (
        <div key={name}>
          <Button
            kind="link"
            aria-label={`${words}, ${label}`}
            busy={busy || off !== undefined}
            onClick={() => save(bytes as Bytes, name)}
          >
            {words}
          </Button>
        </div>
      ))}
      <Loading when={busy}>{ways.getting}</Loading>
      <Trouble problem={problem} />
      {isOpen
        ? (
          <div id={id}>
            <InOtherWords value={pdf}>
              <Shown document={document} content={content} />
            </InOtherWords>
          </div>
        )
        : null}
    </div>
  )
}

const Shown = ({ content, document }: { readonly document: Document; readonly content: Bytes }) => {
  const { ways } = useDocumentsWords()
  return (
    <Reading of={useRead(content)} loading={ways.getting}>
      {(bytes) => <Preview bytes={bytes} document={document} />}
    </Reading>
  )
}
