import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { useSending } from "../../shared/Sending.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { PasskeyTrouble } from "./PasskeyTrouble.tsx"
import { signedInByPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { usePasskeyWords } from "./Words.ts"

/** Opens the app by a touch, where the browser can. If the veteran changes their mind, nothing is said. */
export const OpenByPasskey = ({ kind = "main", onOpen }: {
  readonly kind?: "main" | "link"
  readonly onOpen: (access: AppAccess) => void
}) => {
  const words = usePasskeyWords()
  const { busy, off, problem, send } = useSending()
  if (!hasPasskeys) return null
  return (
    <>
      <PasskeyTrouble of={problem} />
      <div className="actions">
        <Button kind={kind} busy={busy} off={off} onClick={() => send(signedInByPasskey, onOpen)}>{words.open}</Button>
      </div>
      <Loading when={busy}>{words.opening}</Loading>
    </>
  )
}
