import { type FormEvent, useRef, useState } from "react"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import {
  isPasswordRefused,
  newPasswordError,
  NewPasswordField,
  refusedPassword
} from "../password/NewPasswordField.tsx"
import { addressOf } from "../Route.ts"
import { useProviderSending } from "../session/ProviderSending.ts"

/** The signed-in provider changes the password, and says the present one to show that it is they. */
export const ChangePassword = () => {
  const [done, setDone] = useState(false)
  return (
    <div className="narrow stack">
      <Offline />
      {done
        ? (
          <section className="card stack">
            <Heading>Your password is changed</Heading>
            <p>You were signed out everywhere else. We have sent you a mail about it.</p>
            <p>
              <a href={addressOf({ screen: "patients" })}>Back to your patients</a>
            </p>
          </section>
        )
        : <Form onDone={() => setDone(true)} />}
    </div>
  )
}

const Form = ({ onDone }: { readonly onDone: () => void }) => {
  const { busy, call, off, problem, provider, send, setProblem } = useProviderSending()
  const [present, setPresent] = useState("")
  const [chosen, setChosen] = useState("")
  const [shown, setShown] = useState(false)
  const [errors, setErrors] = useState<{ readonly present?: string; readonly chosen?: string | undefined }>({})
  const presentField = useRef<HTMLInputElement>(null)
  const chosenField = useRef<HTMLInputElement>(null)
  const refuse = (wrong: typeof errors) => {
    setErrors(wrong)
    const first = wrong.present === undefined ? chosenField : presentField
    first.current?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setProblem(undefined)
    setErrors({})
    const wrong = newPasswordError(chosen)
    if (present === "" || wrong !== undefined) {
      return refuse({ ...(present === "" ? { present: "Enter your present password." } : {}), chosen: wrong })
    }
    send(
      call(({ password }) => password.change({ payload: { password: present, newPassword: chosen } })),
      onDone,
      (problem) => {
        if (problem.error === "invalid_credentials") return refuse({ present: "This is not your present password." })
        if (isPasswordRefused(problem)) return refuse({ chosen: refusedPassword })
        setProblem(problem)
      }
    )
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>Change password</Heading>
      <p>You are then signed out everywhere else, and stay signed in here.</p>
      <Trouble problem={problem} />
      {/* Password managers keep the new password under this name. */}
      <input type="email" autoComplete="username" value={provider.email} readOnly hidden />
      <div>
        <Field
          ref={presentField}
          label="Present password"
          type={shown ? "text" : "password"}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1024}
          value={present}
          error={errors.present}
          onChange={(event) => setPresent(event.target.value)}
        />
        <Button kind="link" onClick={() => setShown(!shown)}>
          {shown ? "Hide present password" : "Show present password"}
        </Button>
      </div>
      <NewPasswordField fieldRef={chosenField} value={chosen} error={errors.chosen} onChange={setChosen} />
      <Action type="submit" busy={busy} off={off}>{busy ? "Changing your password" : "Change password"}</Action>
      <Loading when={busy}>Changing your password</Loading>
    </form>
  )
}
