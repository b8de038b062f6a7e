import { Effect } from "effect"
import { type FormEvent, useState } from "react"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { useAction } from "../../shared/Call.ts"
import { connectWithCookie } from "../../shared/Client.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { problemWords } from "../../shared/Words.ts"

export const SignIn = ({ onSignedIn }: { readonly onSignedIn: (access: ProviderAccess) => void }) => {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const { busy, start } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const login = Effect.flatMap(
      connectWithCookie(),
      ({ providerLogin }) => providerLogin.login({ payload: { email, password } })
    )
    start(
      login,
      (result) => result.is === "done" ? onSignedIn(result.value) : setTrouble(problemWords(result.problem).text)
    )
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>Sign in to see shared records</Heading>
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div className="actions">
        <Button type="submit" busy={busy}>{busy ? "Signing in" : "Sign in"}</Button>
      </div>
    </form>
  )
}
