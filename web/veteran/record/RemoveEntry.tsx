import { useState } from "react"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { params } from "./Entries.ts"
import { useOwnWords } from "./Words.ts"

/** Asks before an entry is removed. An entry that is gone already counts as removed. */
export const RemoveEntry = ({ entry, onKeep, onRemoved }: {
  readonly entry: Entry
  readonly onKeep: () => void
  readonly onRemoved: () => void
}) => {
  const { call } = useSession()
  const { own, removing: words } = useOwnWords()
  const { busy, start } = useAction()
  const [problem, setProblem] = useState<Problem>()
  const off = useOffReason()
  const remove = () =>
    start(
      call(({ selfReported }) => selfReported.remove({ params: { ...params, entryId: entry.id } })),
      (outcome) =>
        outcome.is === "done" || outcome.problem.error === "not_found" ? onRemoved() : setProblem(outcome.problem)
    )
  return (
    <Dialog title={words.title} onCancel={onKeep}>
      <p className="clamp" dir="auto">{entry.text}</p>
      <p>{words.text}</p>
      {problem === undefined ? null : <Trouble problem={problem} />}
      <div className="actions">
        <Button kind="outline" onClick={onKeep}>{words.keep}</Button>
        <Button className="usa-button stop" busy={busy} off={off} onClick={remove}>{own.remove}</Button>
      </div>
    </Dialog>
  )
}
