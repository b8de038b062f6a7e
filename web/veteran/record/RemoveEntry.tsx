import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { Question } from "../../shared/ui/Question.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { useOwnWords } from "./Words.ts"

/** Asks before an entry is removed. An entry that is gone already counts as removed. */
export const RemoveEntry = ({ entry, onKeep, onRemoved }: {
  readonly entry: Entry
  readonly onKeep: () => void
  readonly onRemoved: () => void
}) => {
  const { own, removing: words } = useOwnWords()
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const remove = () =>
    send(
      call(({ selfReported }) => selfReported.remove({ params: { ...me, entryId: entry.id } })),
      onRemoved,
      (problem) => problem.error === "not_found" ? onRemoved() : setProblem(problem)
    )
  return (
    <Question
      title={words.title}
      keep={[words.keep, onKeep]}
      go={[own.remove, remove]}
      kind="main"
      busy={busy}
      off={off}
    >
      <p className="clamp" dir="auto">{entry.text}</p>
      <p>{words.text}</p>
      <Trouble problem={problem} />
    </Question>
  )
}
