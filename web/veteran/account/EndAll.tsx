import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"

/** Asks before every session ends, and then locks this device too. */
export const EndAll = ({ onKeep }: { readonly onKeep: () => void }) => {
  const { call, signOut } = useSession()
  const { busy, start } = useAction()
  const [problem, setProblem] = useState<Problem>()
  const end = () => {
    setProblem(undefined)
    start(
      call(({ deviceSessions }) => deviceSessions.endAll({ params: { veteranId: "me" } })),
      (outcome) => outcome.is === "done" ? signOut() : setProblem(outcome.problem)
    )
  }
  return (
    <Dialog title="Sign out everywhere?" onCancel={onKeep}>
      <p>Every device is signed out right away, this one too. Your shares stay as they are.</p>
      {problem === undefined ? null : <Trouble problem={problem} />}
      <div className="actions">
        <Button onClick={onKeep}>Keep</Button>
        <Button kind="outline" busy={busy} onClick={end}>End all</Button>
      </div>
    </Dialog>
  )
}
