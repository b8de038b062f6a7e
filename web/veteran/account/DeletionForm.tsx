import { type FormEvent, useEffect, useRef, useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { waitOf } from "../../shared/Words.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { isDeclined, isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

/** Letter case and spaces do not count: the name shows that the veteran means it, and is no password. */
const isSame = (typed: string, name: string) => {
  const plain = (text: string) => text.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase()
  return plain(typed) === plain(name)
}

/** Says what is deleted, what stays and why, and asks for the veteran's name before it asks the service. */
export const DeletionForm = ({ onAsked, onKept, onUnanswered }: {
  readonly onAsked: (endsAt: Date) => void
  readonly onKept: () => void
  readonly onUnanswered: () => void
}) => {
  const { deletion: words } = useAccountWords()
  const { busy, call, callSign, off, problem, send, setProblem } = useOwnSending()
  const confirmed = useConfirmed()
  const [typed, setTyped] = useState("")
  const [error, setError] = useState<string>()
  const first = useRef<HTMLHeadingElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setProblem(undefined)
    if (!isSame(typed, callSign)) return setError(words.differs(callSign))
    const asking = call(({ deletion }) => deletion.ask({ params: me, payload: { confirm: callSign } }))
    send(confirmed(asking), ({ endsAt }) => onAsked(endsAt), (problem) => {
      if (isDoubtful(problem)) return onUnanswered()
      if (problem.error === "invalid_request") return setError(words.differs(callSign))
      if (!isDeclined(problem)) setProblem(problem)
    })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <h3 tabIndex={-1} ref={first}>{words.nowTitle}</h3>
      <List of={words.now} />
      <h3>{words.goneTitle}</h3>
      <List of={words.gone} />
      <h3>{words.staysTitle}</h3>
      <List of={words.stays} />
      <p>{words.copyFirst}</p>
      <Field
        label={words.label}
        hint={words.hint(callSign)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        error={error}
        onChange={({ target }) => {
          setError(undefined)
          setTyped(target.value)
        }}
      />
      <OwnTrouble problem={problem} own={{ rate_limited: words.tooMany(waitOf(problem?.retryAfterSeconds ?? 60)) }} />
      <div className="actions">
        <Button onClick={onKept}>{words.keep}</Button>
        <Button kind="stop" type="submit" busy={busy} off={off}>{words.ask}</Button>
      </div>
      <Loading when={busy}>{words.asking}</Loading>
    </form>
  )
}

const List = ({ of }: { readonly of: ReadonlyArray<string> }) => <ul>{of.map((line) => <li key={line}>{line}</li>)}</ul>
