import type { Document } from "../../../src/domain/Document.ts"
import { Question } from "../../shared/ui/Question.tsx"
import { OwnTrouble } from "../OwnTrouble.tsx"
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
  const { remove: words, ways } = useDocumentsWords()
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const remove = () =>
    send(
      call(({ documents }) => documents.remove({ params: { ...me, documentId: id } })),
      onRemoved,
      (problem) => problem.error === "not_found" ? onRemoved() : setProblem(problem)
    )
  return (
    <Question
      title={words.title}
      keep={[words.keep, onKeep]}
      go={[ways.remove, remove]}
      kind="stop"
      busy={busy}
      off={off}
    >
      <p>
        <bdi>{titleOf(document)}</bdi>
      </p>
      <p>{kind === "roi" ? words.release : words.file}</p>
      <OwnTrouble problem={problem} own={{ conflict: words.needed }} />
    </Question>
  )
}
