import type { Effect } from "effect"
import { type ReactNode, useId, useMemo, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { fileName, releaseName } from "../../../src/domain/DocumentFileName.ts"
import { useAction, useRead } from "../../shared/Call.ts"
import { Preview } from "../../shared/document/Preview.tsx"
import { useOffReason } from "../../shared/Online.ts"
import { InOtherWords } from "../../shared/pdf/PdfWords.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { params } from "./DocumentList.ts"
import { useDocumentsWords } from "./Words.ts"

/** The bytes as they were uploaded or signed. */
const useContentOf = ({ id }: Document) => {
  const { call } = useSession()
  return useMemo(
    () => call(({ documents }) => documents.content({ params: { ...params, documentId: id } })) as Reading,
    [call, id]
  )
}

type Reading = Effect.Effect<Uint8Array<ArrayBuffer>, Problem>

/** The ways to read and save a document, with others after them. `label` tells screen readers which document it is. */
export const Ways = ({ children, document, label }: {
  readonly children?: ReactNode
  readonly document: Document
  readonly label: string
}) => {
  const { call } = useSession()
  const { pdf, ways } = useDocumentsWords()
  const off = useOffReason()
  const content = useContentOf(document)
  const [isOpen, setOpen] = useState(false)
  const { busy, start } = useAction()
  const [problem, setProblem] = useState<Problem>()
  const id = useId()
  const { kind, signedAt } = document
  const saved = (ending: "pdf" | "fhir.json") => signedAt === null ? fileName(document) : releaseName(signedAt, ending)
  const save = (reading: Reading, name: string) => {
    setProblem(undefined)
    start(
      reading,
      (outcome) => outcome.is === "done" ? saveFile(outcome.value, name) : setProblem(outcome.problem)
    )
  }
  const saveRecord = () =>
    save(
      call(({ documents }) => documents.record({ params: { ...params, documentId: document.id } })) as Reading,
      saved("fhir.json")
    )
  const saveShape = () =>
    save(
      call(({ shapes }) => shapes.release({ params: { ...params, documentId: document.id } })) as Reading,
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
      {problem === undefined ? null : <Trouble problem={problem} />}
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

const Shown = ({ content, document }: { readonly document: Document; readonly content: Reading }) => {
  const { ways } = useDocumentsWords()
  const { again, state } = useRead(content)
  return (
    <>
      <Loading when={state.is === "pending"}>{ways.getting}</Loading>
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" ? <Preview bytes={state.value} document={document} /> : null}
    </>
  )
}
