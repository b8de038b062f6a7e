import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"

/** Asks before this device is forgotten. */
export const ForgetDevice = ({ onForget, onKeep }: {
  readonly onForget: () => void
  readonly onKeep: () => void
}) => (
  <Dialog title="Forget this device?" onCancel={onKeep}>
    <p>We sign you out, and remove this app's key and files from this device. Your record and your shares stay.</p>
    <div className="actions">
      <Button onClick={onKeep}>Keep</Button>
      <Button kind="outline" onClick={onForget}>Forget this device</Button>
    </div>
  </Dialog>
)
