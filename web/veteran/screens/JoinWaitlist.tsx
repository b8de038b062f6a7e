import { Effect } from "effect"
import { useState } from "react"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { problemText } from "../../shared/Words.ts"
import { useConnectWords } from "../connect/Words.ts"
import { connectToSignIn } from "../SignInClient.ts"

/** For somebody to whom no mail came. The answer does not tell who is registered. */
export const JoinWaitlist = () => {
  const { waitlist } = useConnectWords()
  const [email, setEmail] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const [isJoined, setJoined] = useState(false)
  const { busy, off, send } = useSending()
  const join = () => {
    if (!/.@./.test(email)) return setTrouble(waitlist.missing)
    setTrouble(undefined)
    const joined = Effect.flatMap(
      connectToSignIn(),
      (client) => client.waitlist.join({ payload: { email: email.trim() } })
    )
    send(joined, () => setJoined(true), (problem) => setTrouble(problemText(problem)))
  }
  return (
    <details>
      <summary>{waitlist.title}</summary>
      <div className="stack">
        <p>{waitlist.text}</p>
        {isJoined
          ? <Notice kind="success" live>{waitlist.joined}</Notice>
          : (
            <>
              <Field
                label={waitlist.email}
                type="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={320}
                value={email}
                error={trouble}
                onChange={(event) => setEmail(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter") return
                  // Enter would send the form around this field.
                  event.preventDefault()
                  if (off === undefined && !busy) join()
                }}
              />
              <Action kind="outline" busy={busy} off={off} onClick={join}>{waitlist.join}</Action>
            </>
          )}
      </div>
    </details>
  )
}
