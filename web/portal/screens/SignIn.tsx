import { Effect } from "effect"
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { useRead } from "../../shared/Call.ts"
import { connectWithCookie } from "../../shared/Client.ts"
import { useSending } from "../../shared/Sending.ts"
import { useTitle } from "../../shared/Title.ts"
import { configuration } from "../../shared/Transport.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { type ProblemWords, problemWords } from "../../shared/Words.ts"
import { goToGoogle } from "../google/GoogleSignIn.ts"
import { EmailField } from "../password/EmailField.tsx"
import { isPasswordSet, leavePasswordSet } from "../password/PasswordSet.ts"

/** Why there was no sign-in. The words of Google's refusals have no title. */
interface Trouble extends Pick<ProblemWords, "text"> {
  readonly title?: string
}

/** Sign-in by password (A1). The typed text stays, whether or not sign-in succeeds. */
export const SignIn = ({ onSignedIn, reason, refusal, unfinished }: {
  readonly onSignedIn: (answer: ProviderAccess) => void
  /** Why the previous session ended. */
  readonly reason?: string | undefined
  /** Why the sign-in by Google failed. */
  readonly refusal?: string | undefined
  /** True if a sign-out has not reached the service yet. */
  readonly unfinished: boolean
}) => {
  useTitle("Sign in")
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const [shown, setShown] = useState(false)
  const [missing, setMissing] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | undefined>(refusal === undefined ? undefined : { text: refusal })
  const [isNew] = useState(isPasswordSet)
  const emailField = useRef<HTMLInputElement>(null)
  useEffect(() => isNew ? emailField.current?.focus() : undefined, [isNew])
  const { busy, off, send } = useSending()
  const { state: configured } = useRead(configuration)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setTrouble(undefined)
    setMissing(email.trim() === "" || password === "")
    if (email.trim() === "" || password === "") return
    setShown(false)
    const login = Effect.flatMap(
      connectWithCookie(),
      ({ providerLogin }) => providerLogin.login({ payload: { email: email.trim(), password } })
    )
    send(login, (answer) => {
      leavePasswordSet()
      onSignedIn(answer)
    }, (problem) => setTrouble(problemWords(problem)))
  }
  const google = () => {
    setTrouble(undefined)
    send(goToGoogle, () => {}, (problem) => setTrouble(problemWords(problem)))
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>Sign in to see shared records</Heading>
      {isNew && trouble === undefined
        ? <Notice kind="success" live>Your password is set. Sign in with it.</Notice>
        : reason === undefined || trouble !== undefined
        ? null
        : <Notice kind="info">{reason}</Notice>}
      {unfinished
        ? (
          <Notice kind="warning" live title="Signing out is not finished">
            The service can't be reached. We keep trying while this page is open.
          </Notice>
        )
        : null}
      {trouble === undefined ? null : <Refusal of={trouble} />}
      <EmailField fieldRef={emailField} value={email} missing={missing} onChange={setEmail} />
      <div>
        <Field
          label="Password"
          type={shown ? "text" : "password"}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          value={password}
          error={missing && password === "" ? "Enter your password." : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button kind="link" onClick={() => setShown(!shown)}>{shown ? "Hide password" : "Show password"}</Button>
      </div>
      <Action type="submit" busy={busy} off={off}>{busy ? "Signing in" : "Sign in"}</Action>
      {configured.is === "done" && configured.value.google === true
        ? <Action kind="outline" busy={busy} off={off} onClick={google}>Sign in with Google</Action>
        : null}
      <Loading when={busy}>Signing in</Loading>
      <p>
        <a href="/password">Forgot your password?</a>
      </p>
      <p className="soft">No account? Your clinic's administrator adds you.</p>
    </form>
  )
}

/** Takes the focus when it appears, for people who see one part of the page at a time. */
const Refusal = ({ of: { text, title } }: { readonly of: Trouble }) => {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind="error" live {...(title === undefined ? {} : { title })}>{text}</Notice>
    </div>
  )
}
