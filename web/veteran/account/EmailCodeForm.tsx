import { Effect } from "effect"
import { type FormEvent, useEffect, useRef, useState } from "react"
import type { Veteran } from "../../../src/domain/Veteran.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { problemText, problemWords } from "../../shared/Words.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { Done } from "./Done.tsx"
import { useEmailAsking } from "./EmailAsking.ts"
import type { EmailChangeProps } from "./EmailDraft.ts"
import { isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

const digits = 8

/** Whether an earlier try, whose answer was lost, has changed the address. */
const wasChanged = Effect.fnUntraced(function*({ veteran }: Client, email: string) {
  const now = yield* veteran.me({ params: me })
  return now.email.toLowerCase() === email.toLowerCase() ? now : undefined
})

/** Asks for the code that was mailed to the new address. It may be pasted, with spaces. */
export const EmailCodeForm = ({ challengeId, change, onChanged, onKept, setChange }: EmailChangeProps & {
  readonly challengeId: string
  readonly onChanged: (veteran: Veteran) => void
}) => {
  const { email: words } = useAccountWords()
  const [code, setCode] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const [isOver, setOver] = useState(false)
  const [isDoubted, setDoubted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, call, off, send } = useOwnSending()
  const asking = useEmailAsking(setChange, setTrouble)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    const typed = code.replaceAll(/[\s-]/g, "")
    if (!/^\d{8}$/.test(typed)) return setTrouble(words.length(digits))
    setTrouble(undefined)
    send(
      call((client) =>
        Effect.gen(function*() {
          const earlier = isDoubted ? yield* wasChanged(client, change.email) : undefined
          return earlier ??
            (yield* client.veteranAccount.verifyEmail({ params: me, payload: { challengeId, code: typed } }))
        })
      ),
      onChanged,
      (problem) => {
        setDoubted(isDoubtful(problem))
        setOver(isEnd(problem))
        setTrouble(troubleWords(problem))
      }
    )
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <p>
        {words.sentTo} <bdi>{change.email}</bdi>. {words.until}
      </p>
      <Done kind="info">{change.sentAgain === true ? words.sentAgain : undefined}</Done>
      <Field
        ref={field}
        label={words.code}
        hint={words.digits(digits)}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={trouble}
        onChange={({ target }) => {
          setTrouble(undefined)
          setCode(target.value)
        }}
      />
      <div className="actions">
        {isOver ? null : <Button type="submit" busy={busy || asking.busy} off={off}>{words.finish}</Button>}
        <Button
          kind={isOver ? "main" : "outline"}
          busy={busy || asking.busy}
          off={off}
          onClick={() => asking.ask(change.email, true)}
        >
          {words.again}
        </Button>
        <Button kind="outline" onClick={onKept}>{words.keep}</Button>
      </div>
      <Loading when={busy}>{words.finishing}</Loading>
      <Loading when={asking.busy}>{words.sending}</Loading>
    </form>
  )
}

const isEnd = ({ attemptsLeft, error }: Problem) => error === "otp_invalid" && attemptsLeft === 0

const troubleWords = (problem: Problem) => isEnd(problem) ? problemWords(problem).text : problemText(problem)
