import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { useAccountWords } from "./Words.ts"

/** Asks before every session ends, and then locks this device too. */
export const EndAll = ({ onKeep }: { readonly onKeep: () => void }) => {
  const { devices: words } = useAccountWords()
  const { busy, call, problem, send, signOut } = useOwnSending()
  const end = () => send(call(({ deviceSessions }) => deviceSessions.endAll({ params: me })), signOut)
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
