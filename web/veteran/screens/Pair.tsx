import { type FormEvent, useState } from "react"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useSending } from "../../shared/Sending.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { problemText } from "../../shared/Words.ts"
import { pairAccount } from "../connect/Connect.ts"
import { connectWords, useConnectWords } from "../connect/Words.ts"
import { JoinWaitlist } from "./JoinWaitlist.tsx"

/** Asks once for a code that proves whose record it is (S2). It never says whether somebody is registered. */
export const Pair = ({ onLeft, onPaired, pairingId }: {
  readonly pairingId: string
  readonly onPaired: (access: AppAccess) => void
  readonly onLeft: () => void
}) => {
  const { pair } = useConnectWords()
  useTitle(pair.tab)
  const [isPaper, setPaper] = useState(false)
  const [code, setCode] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const [isOver, setOver] = useState(false)
  const { busy, off, send } = useSending()
  const { form, hint, label } = isPaper ? pair.paper : pair.mailed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    const typed = code.replaceAll(/[\s-]/g, "")
    if (!(isPaper ? /^[0-9a-z]{12}$/i : /^\d{8}$/).test(typed)) {
      return setTrouble(form)
    }
    setTrouble(undefined)
    send(pairAccount(pairingId, typed), onPaired, (problem) => {
      setOver(isEnd(problem))
      setTrouble(textOf(problem))
    })
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>{pair.title}</Heading>
      <p>{pair.sent}</p>
      <Offline />
      <Field
        key={`${isPaper}`}
        label={label}
        hint={hint}
        inputMode={isPaper ? "text" : "numeric"}
        autoComplete={isPaper ? "off" : "one-time-code"}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={trouble}
        onChange={(event) => setCode(event.target.value)}
      />
      <div className="actions">
        {isOver
          ? <Button onClick={onLeft}>{pair.again}</Button>
          : <Button type="submit" busy={busy} off={off}>{pair.go}</Button>}
      </div>
      <Loading when={busy}>{pair.checking}</Loading>
      <Button
        kind="link"
        onClick={() => {
          setCode("")
          setTrouble(undefined)
          setPaper(!isPaper)
        }}
      >
        {isPaper ? pair.toMailed : pair.toPaper}
      </Button>
      <p>{pair.never}</p>
      <JoinWaitlist />
      {isOver ? null : <Button kind="link" onClick={onLeft}>{pair.back}</Button>}
    </form>
  )
}

const isEnd = ({ attemptsLeft, error }: Problem) =>
  (error === "otp_invalid" && attemptsLeft === 0) || error === "unauthenticated"

const textOf = (problem: Problem) => {
  const { attemptsLeft = 0, error } = problem
  const { pair } = connectWords()
  if (isEnd(problem)) return pair.over
  if (error !== "otp_invalid") return problemText(problem)
  return pair.wrong(attemptsLeft)
}
