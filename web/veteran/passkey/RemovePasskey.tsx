import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { usePasskeyWords } from "./Words.ts"

/** Asks before a passkey is removed. */
export const RemovePasskey = ({ busy, name, onKeep, onRemove }: {
  readonly name: string
  readonly busy: boolean
  readonly onRemove: () => void
  readonly onKeep: () => void
}) => {
  const words = usePasskeyWords()
  return (
    <Dialog title={words.removeTitle(name)} onCancel={onKeep}>
      <p>{words.removeWhat}</p>
      <div className="actions">
        <Button onClick={onKeep}>{words.keep}</Button>
        <Button kind="outline" busy={busy} onClick={onRemove}>{words.remove}</Button>
      </div>
    </Dialog>
  )
}
