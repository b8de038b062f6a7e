import { Question } from "../../shared/ui/Question.tsx"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
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
    <Question
      title={words.question(name)}
      keep={[words.keep, onKeep]}
      go={[words.remove, remove]}
      kind="stop"
      busy={busy}
      off={off}
    >
      <p>{words.means}</p>
      <p>{words.afterward}</p>
      <OwnTrouble problem={problem} own={{ conflict: words.last }} />
    </Question>
  )
}
