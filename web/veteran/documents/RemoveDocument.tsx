import type { Document } from "../../../src/domain/Document.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { titleOf } from "./DocumentTitle.ts"
import { useDocumentsWords } from "./Words.ts"

/** Asks before a document is deleted, and says what stays. One that is gone already counts as deleted. */
export const RemoveDocument = ({ document, onKeep, onRemoved }: {
  readonly document: Document
  readonly onKeep: () => void
  readonly onRemoved: () => void
}) => {
  const { id, kind } = document
  const { remove: words } = useDocumentsWords()
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const remove = () =>
    send(
      call(({ documents }) => documents.remove({ params: { ...me, documentId: id } })),
      onRemoved,
      (problem) => problem.error === "not_found" ? onRemoved() : setProblem(problem)
    )
  return (
    <Dialog title={words.title} onCancel={onKeep}>
      <p>
        <bdi>{titleOf(document)}</bdi>
      </p>
      <p>{kind === "roi" ? words.release : words.file}</p>
      {problem === undefined
        ? null
        : problem.error === "conflict"
        ? <Notice kind="error" live title={words.needed.title}>{words.needed.text}</Notice>
        : <Trouble problem={problem} />}
      <div className="actions">
        <Button kind="outline" onClick={onKeep}>{words.keep}</Button>
        <Button kind="stop" busy={busy} off={off} onClick={remove}>{words.confirm}</Button>
      </div>
    </Dialog>
  )
}
