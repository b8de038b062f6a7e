import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { confirmedByPasskey } from "../passkey/Steps.ts"
import { hasPasskeys } from "../passkey/Touch.ts"
import { passkeyText, usePasskeyWords } from "../passkey/Words.ts"
import { useSession } from "../session/Session.ts"
import { useConfirmWords } from "./Words.ts"

/** Confirms by a touch, where the browser can. If the veteran changes their mind, the question stays. */
export const ByPasskey = ({ onConfirmed }: { readonly onConfirmed: () => void }) => {
  const words = useConfirmWords()
  const { opening } = usePasskeyWords()
  const session = useSession()
  const [trouble, setTrouble] = useState<string>()
  const { busy, start } = useAction()
  const off = useOffReason()
  if (!hasPasskeys) return null
  const confirm = () => {
    setTrouble(undefined)
    start(
      confirmedByPasskey(session),
      (outcome) => outcome.is === "done" ? onConfirmed() : setTrouble(passkeyText(outcome.problem))
    )
  }
  return (
    <>
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <div className="actions">
        <Button busy={busy} off={off} onClick={confirm}>{words.byPasskey}</Button>
      </div>
      <Loading when={busy}>{opening}</Loading>
    </>
  )
}
