import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { isDeclined, isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

/** Asks before an account of the VA is removed, which ends every session. */
export const RemoveSignIn = ({ id, name, onChanged, onKeep }: {
  readonly id: string
  readonly name: string
  readonly onKeep: () => void
  /** The list may be another one now. */
  readonly onChanged: () => void
}) => {
  const { signIns: words } = useAccountWords()
  const { busy, call, off, problem, send, setProblem, signOut } = useOwnSending()
  const confirmed = useConfirmed()
  const remove = () => {
    const removing = call(({ deviceSessions }) => deviceSessions.removeIdentity({ params: { ...me, identityId: id } }))
    send(confirmed(removing), signOut, (problem) => {
      // If it was removed after all, this session has ended, and the next call locks the app.
      if (isDoubtful(problem) || problem.error === "not_found") return onChanged()
      if (!isDeclined(problem)) setProblem(problem)
    })
  }
  return (
    <Dialog title={words.question(name)} onCancel={onKeep}>
      <p>{words.means}</p>
      <p>{words.afterward}</p>
      {problem === undefined
        ? null
        : problem.error === "conflict"
        ? <Notice kind="error" live>{words.last}</Notice>
        : <Trouble problem={problem} />}
      <div className="actions">
        <Button onClick={onKeep}>{words.keep}</Button>
        <Button kind="stop" busy={busy} off={off} onClick={remove}>{words.remove}</Button>
      </div>
    </Dialog>
  )
}
