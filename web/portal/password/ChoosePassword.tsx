import { Effect } from "effect"
import { type FormEvent, useRef, useState } from "react"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { isPasswordRefused, newPasswordError, NewPasswordField, refusedPassword } from "./NewPasswordField.tsx"
import { connectForgotten } from "./PasswordClient.ts"

/** The form behind a mailed link. A password that is refused does not spend the link. */
export const ChoosePassword = ({ onExpired, onSet, token }: {
  readonly token: string
  readonly onExpired: () => void
  readonly onSet: () => void
}) => {
  const [password, setPassword] = useState("")
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { busy, off, problem, send, setProblem } = useSending()
  const refuse = (words: string) => {
    setError(words)
    field.current?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setProblem(undefined)
    setError(undefined)
    const wrong = newPasswordError(password)
    if (wrong !== undefined) return refuse(wrong)
    send(
      Effect.flatMap(connectForgotten, (forgotten) => forgotten.set({ payload: { token, password } })),
      onSet,
      (problem) => {
        if (problem.error === "link_expired") return onExpired()
        if (isPasswordRefused(problem)) return refuse(refusedPassword)
        setProblem(problem)
      }
    )
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>Choose a password</Heading>
      <p>You sign in with it and your e-mail from now on. You are then signed out everywhere else.</p>
      <Trouble problem={problem} />
      <NewPasswordField fieldRef={field} value={password} error={error} onChange={setPassword} />
      <Action type="submit" busy={busy} off={off}>{busy ? "Setting your password" : "Set password"}</Action>
      <Loading when={busy}>Setting your password</Loading>
    </form>
  )
}
