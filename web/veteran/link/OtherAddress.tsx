import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { useLinkWords } from "./Words.ts"

/** Asks before a link is made for another address than the release names. The focus begins on the release's own. */
export const OtherAddress = ({ onCancel, onKeep, onSend, signed, typed }: {
  readonly signed: string
  readonly typed: string
  /** Takes the release's address. */
  readonly onKeep: () => void
  /** Takes the other one. */
  readonly onSend: () => void
  readonly onCancel: () => void
}) => {
  const { differs } = useLinkWords()
  return (
    <Dialog title={differs.title} onCancel={onCancel}>
      <Facts
        of={[
          [differs.release, <bdi key="signed">{signed}</bdi>],
          [differs.typed, <bdi key="typed">{typed}</bdi>]
        ]}
      />
      <p>{differs.what}</p>
      <div className="actions">
        <Button onClick={onKeep}>{differs.asSigned}</Button>
        <Button kind="outline" onClick={onSend}>{differs.send}</Button>
      </div>
    </Dialog>
  )
}
