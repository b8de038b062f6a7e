import { type FormEvent, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { deviceName } from "../connect/DeviceName.ts"
import { useSession } from "../session/Session.ts"
import { addedPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { passkeyText, usePasskeyWords } from "./Words.ts"

/** Makes a passkey, with a name by which the veteran tells it from others. */
export const AddPasskey = ({ onAdded }: { readonly onAdded: () => void }) => {
  const words = usePasskeyWords()
  const session = useSession()
  const confirmed = useConfirmed()
  const usual = deviceName(navigator.userAgent)
  const [name, setName] = useState(usual)
  const [trouble, setTrouble] = useState<string>()
  const { busy, start } = useAction()
  const off = useOffReason()
  if (!hasPasskeys) return <p>{words.noWebAuthn}</p>
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setTrouble(undefined)
    start(
      addedPasskey(session, isBlank(name) ? usual : name.trim(), confirmed),
      (outcome) => outcome.is === "done" ? onAdded() : setTrouble(passkeyText(outcome.problem))
    )
  }
  return (
    <form className="stack" onSubmit={add} noValidate>
      <p>{words.shared}</p>
      <Field
        label={words.name}
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <div className="actions">
        <Button type="submit" kind="outline" busy={busy} off={off}>{words.add}</Button>
      </div>
      <Loading when={busy}>{words.opening}</Loading>
    </form>
  )
}
