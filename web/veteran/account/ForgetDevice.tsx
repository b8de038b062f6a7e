import { hasDrafts } from "../../shared/Drafts.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { useAccountWords } from "./Words.ts"

/** Asks before this device is forgotten. */
export const ForgetDevice = ({ onForget, onKeep }: {
  readonly onForget: () => void
  readonly onKeep: () => void
}) => {
  const { device: words } = useAccountWords()
  return (
    <Dialog title={words.question} onCancel={onKeep}>
      <p>{words.means}</p>
      {hasDrafts() ? <p>{words.loses}</p> : null}
      <div className="actions">
        <Button onClick={onKeep}>{words.keep}</Button>
        <Button kind="outline" onClick={onForget}>{words.forget}</Button>
      </div>
    </Dialog>
  )
}
