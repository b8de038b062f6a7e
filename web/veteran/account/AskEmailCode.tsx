import { type FormEvent, useEffect, useRef, useState } from "react"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { useEmailAsking } from "./EmailAsking.ts"
import type { EmailChangeProps } from "./EmailDraft.ts"
import { useAccountWords } from "./Words.ts"

/** Asks for the new address. */
export const AskEmailCode = ({ change, onKept, setChange }: EmailChangeProps) => {
  const { email: words } = useAccountWords()
  const [trouble, setTrouble] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const off = useOffReason()
  const { ask, busy } = useEmailAsking(setChange, setTrouble)
  // The button that opened this form is gone.
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    ask(change.email.trim())
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field
        ref={field}
        label={words.label}
        hint={words.hint}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        value={change.email}
        error={trouble}
        onChange={({ target }) => {
          setTrouble(undefined)
          setChange({ email: target.value })
        }}
      />
      <div className="actions">
        <Button type="submit" busy={busy} off={off}>{words.send}</Button>
        <Button kind="outline" onClick={onKept}>{words.keep}</Button>
      </div>
      <Loading when={busy}>{words.sending}</Loading>
    </form>
  )
}
