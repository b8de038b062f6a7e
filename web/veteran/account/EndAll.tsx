import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { useAccountWords } from "./Words.ts"

/** Asks before every session ends, and then locks this device too. */
export const EndAll = ({ onKeep }: { readonly onKeep: () => void }) => {
  const { devices: words } = useAccountWords()
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
    <Dialog title={words.allTitle} onCancel={onKeep}>
      <p>{words.allText}</p>
      {problem === undefined ? null : <Trouble problem={problem} />}
      <div className="actions">
        <Button onClick={onKeep}>{words.keep}</Button>
        <Button kind="outline" busy={busy} onClick={end}>{words.confirm}</Button>
      </div>
    </Dialog>
  )
}
