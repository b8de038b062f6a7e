import { useState } from "react"
import { useOffReason } from "../../shared/Online.ts"
import { useSending } from "../../shared/Sending.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { PasskeyTrouble } from "../passkey/PasskeyTrouble.tsx"
import { confirmedByPasskey } from "../passkey/Steps.ts"
import { hasPasskeys } from "../passkey/Touch.ts"
import { usePasskeyWords } from "../passkey/Words.ts"
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
  const off = useOffReason()
  const [isGone, setGone] = useState(false)
  return (
    <Dialog title={words.title} onCancel={onCancel}>
      <p>{words.why}</p>
      <ByPasskey onConfirmed={onConfirmed} />
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

/** Confirms by a touch, where the browser can. If the veteran changes their mind, the question stays. */
const ByPasskey = ({ onConfirmed }: { readonly onConfirmed: () => void }) => {
  const words = useConfirmWords()
  const { opening } = usePasskeyWords()
  const session = useSession()
  const { busy, off, problem, send } = useSending()
  if (!hasPasskeys) return null
  return (
    <>
      <PasskeyTrouble of={problem} />
      <div className="actions">
        <Button busy={busy} off={off} onClick={() => send(confirmedByPasskey(session), onConfirmed)}>
          {words.byPasskey}
        </Button>
      </div>
      <Loading when={busy}>{opening}</Loading>
    </>
  )
}
