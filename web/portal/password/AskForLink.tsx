import { Effect } from "effect"
import { type FormEvent, useRef, useState } from "react"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { EmailField } from "./EmailField.tsx"
import { connectForgotten } from "./PasswordClient.ts"

/** Asks for a link. What follows is the same for every address. */
export const AskForLink = ({ onSent }: { readonly onSent: () => void }) => {
  const [email, setEmail] = useState("")
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, off, problem, send, setProblem } = useSending()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setProblem(undefined)
    setMissing(email.trim() === "")
    if (email.trim() === "") return field.current?.focus()
    send(
      Effect.flatMap(connectForgotten, (forgotten) => forgotten.forgot({ payload: { email: email.trim() } })),
      onSent
    )
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Trouble problem={problem} />
      <EmailField fieldRef={field} value={email} missing={missing} onChange={setEmail} />
      <Action type="submit" busy={busy} off={off}>{busy ? "Sending" : "Send me a link"}</Action>
      <Loading when={busy}>Sending</Loading>
    </form>
  )
}
