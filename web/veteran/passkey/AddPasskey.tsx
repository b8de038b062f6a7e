import { type FormEvent, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { deviceName } from "../connect/DeviceName.ts"
import { useSession } from "../session/Session.ts"
import { PasskeyTrouble } from "./PasskeyTrouble.tsx"
import { addedPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { usePasskeyWords } from "./Words.ts"

/** Makes a passkey, with a name by which the veteran tells it from others. */
export const AddPasskey = ({ onAdded }: { readonly onAdded: () => void }) => {
  const words = usePasskeyWords()
  const session = useSession()
  const confirmed = useConfirmed()
  const usual = deviceName(navigator.userAgent)
  const [name, setName] = useState(usual)
  const { busy, off, problem, send } = useSending()
  if (!hasPasskeys) return <p>{words.noWebAuthn}</p>
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (off === undefined) send(addedPasskey(session, isBlank(name) ? usual : name.trim(), confirmed), onAdded)
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
      <PasskeyTrouble of={problem} />
      <Action type="submit" kind="outline" busy={busy} off={off}>{words.add}</Action>
      <Loading when={busy}>{words.opening}</Loading>
    </form>
  )
}
