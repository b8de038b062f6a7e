import type { Effect } from "effect"
import { type ReactNode, useId, useMemo, useState } from "react"
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

/** The ways to read and save a document, with others after them. `label` tells screen readers which document it is. */
export const Ways = ({ children, document, label }: {
  readonly children?: ReactNode
  readonly document: Document
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
  const saveRecord = () =>
    save(
      call(({ documents }) => documents.record({ params: { ...me, documentId: document.id } })) as Bytes,
      saved("fhir.json")
    )
  const saveShape = () =>
    save(
      call(({ shapes }) => shapes.release({ params: { ...me, documentId: document.id } })) as Bytes,
      saved("fhir.json").replace(".fhir", ".consent.fhir")
    )
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
        {children}
      </div>
      {kind === "roi"
        ? (
          <>
            <div>
              <Button
                kind="link"
                aria-label={`${ways.saveRecord}, ${label}`}
                busy={busy || off !== undefined}
                onClick={saveRecord}
              >
                {ways.saveRecord}
              </Button>
            </div>
            <div>
              <Button
                kind="link"
                aria-label={`${ways.saveShape}, ${label}`}
                busy={busy || off !== undefined}
                onClick={saveShape}
              >
                {ways.saveShape}
              </Button>
            </div>
          </>
        )
        : null}
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
