import { useSending } from "../../shared/Sending.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { PasskeyTrouble } from "../passkey/PasskeyTrouble.tsx"
import { confirmedByPasskey } from "../passkey/Steps.ts"
import { hasPasskeys } from "../passkey/Touch.ts"
import { usePasskeyWords } from "../passkey/Words.ts"
import { useSession } from "../session/Session.ts"
import { useConfirmWords } from "./Words.ts"

/** Confirms by a touch, where the browser can. If the veteran changes their mind, the question stays. */
export const ByPasskey = ({ onConfirmed }: { readonly onConfirmed: () => void }) => {
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
