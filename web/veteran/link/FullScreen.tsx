import { useEffect, useId, useState } from "react"
import { listen } from "../../shared/Listen.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Modal } from "../../shared/ui/Modal.tsx"
import { Named } from "../sharing/Named.tsx"
import { ScreenLock } from "../update/ScreenLock.ts"
import type { CodeMail } from "./CodeMail.ts"
import { CodeNow } from "./CodeNow.tsx"
import { QrPicture } from "./QrPicture.tsx"
import { useLinkWords } from "./Words.ts"

/** The code alone, as large as the screen, for a clinic's camera. Escape or Close gives the focus back. */
export const FullScreen = ({ email, mail, onClose, qrSvg }: {
  readonly email: string
  readonly qrSvg: string
  /** Mails the code, if apps can open the link: theirs may ask for it before anything else. */
  readonly mail: CodeMail | undefined
  readonly onClose: () => void
}) => {
  const { made } = useLinkWords()
  const id = useId()
  const isAwake = useScreenOn()
  return (
    <Modal className="qr-full" labelledBy={id} onCancel={onClose}>
      <p id={id}>
        <Named of={made.point} name={email} />
      </p>
      <QrPicture svg={qrSvg} />
      <p className="small" role="status">{isAwake === undefined ? null : isAwake ? made.awake : made.asleep}</p>
      {mail === undefined ? null : (
        <div className="stack">
          <CodeNow email={email} mail={mail} />
        </div>
      )}
      <Button onClick={onClose}>{made.close}</Button>
    </Modal>
  )
}

/** Keeps the screen on while this is shown. Returns undefined until the browser has answered. */
const useScreenOn = () => {
  const [isAwake, setAwake] = useState<boolean>()
  useEffect(() => {
    const lock = new ScreenLock(setAwake)
    // A browser lets go of the lock when the page is hidden.
    const ask = () => document.visibilityState === "visible" ? void lock.ask() : undefined
    ask()
    const stop = listen({ visibilitychange: ask }, document)
    return () => {
      stop()
      lock.release()
    }
  }, [])
  return isAwake
}
