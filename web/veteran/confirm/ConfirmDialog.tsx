import { useState } from "react"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { ByTouch } from "../passkey/ByTouch.tsx"
import { confirmedByPasskey } from "../passkey/Steps.ts"
import { hasPasskeys } from "../passkey/Touch.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { useConfirmWords } from "./Words.ts"

/** True in an app on the home screen. On an iPhone its new windows are Safari's, which keeps no key of this app. */
const isInstalled = () => matchMedia("(display-mode: standalone)").matches

/** Asks whether it is the veteran. The sign-in at the VA opens in a new window, so that a form in this one stays. */
export const ConfirmDialog = ({ onCancel, onConfirmed }: {
  readonly onCancel: () => void
  readonly onConfirmed: () => void
}) => {
  const words = useConfirmWords()
  const session = useSession()
  const off = useOffReason()
  const [isGone, setGone] = useState(false)
  return (
    <Dialog title={words.title} onCancel={onCancel}>
      <p>{words.why}</p>
      <ByTouch kind="main" step={confirmedByPasskey(session)} onDone={onConfirmed}>{words.byPasskey}</ByTouch>
      {isInstalled() ? <p>{words.installed}</p> : null}
      <div className="actions">
        {off === undefined
          ? (
            <a
              className={hasPasskeys ? "usa-button usa-button--outline" : "usa-button"}
              href={addressOf({ screen: "confirm" })}
              target="_blank"
              rel="noreferrer"
              onClick={() => setGone(true)}
            >
              {words.byVa}
            </a>
          )
          : <span className="soft">{off}</span>}
        <Button kind="outline" onClick={onCancel}>{words.cancel}</Button>
      </div>
      <p role="status">{isGone ? words.waiting : ""}</p>
    </Dialog>
  )
}
