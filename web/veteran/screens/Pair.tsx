import { type FormEvent, useState } from "react"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { problemText } from "../../shared/Words.ts"
import { paired } from "../connect/Connect.ts"
import { JoinWaitlist } from "./JoinWaitlist.tsx"

/** Asks once for a code that proves whose record it is (S2). It never says whether somebody is registered. */
export const Pair = ({ onLeft, onPaired, pairingId }: {
  readonly pairingId: string
  readonly onPaired: (access: AppAccess) => void
  readonly onLeft: () => void
}) => {
  useTitle("Is it you?")
  const [isPaper, setPaper] = useState(false)
  const [code, setCode] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const [isOver, setOver] = useState(false)
  const { busy, start } = useAction()
  const off = useOffReason()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    const typed = code.replaceAll(/[\s-]/g, "")
    if (!(isPaper ? /^[0-9a-z]{12}$/i : /^\d{8}$/).test(typed)) {
      return setTrouble(
        isPaper ? "Enter the 12 letters and numbers of the paper." : "Enter the 8 digits of the e-mail."
      )
    }
    setTrouble(undefined)
    start(paired(pairingId, typed), (outcome) => {
      if (outcome.is === "done") return onPaired(outcome.value)
      setOver(isEnd(outcome.problem))
      setTrouble(wordsOf(outcome.problem))
    })
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Heading>One time only: prove that this record is yours</Heading>
      <p>If you are registered here, we sent a code to your e-mail.</p>
      <Offline />
      <Field
        key={`${isPaper}`}
        label={isPaper ? "Code on paper" : "Code from the e-mail"}
        hint={isPaper ? "12 letters and numbers" : "8 digits"}
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
          ? <Button onClick={onLeft}>Start again</Button>
          : <Button type="submit" busy={busy} off={off}>Go on</Button>}
      </div>
      <Loading when={busy}>Checking</Loading>
      <Button
        kind="link"
        onClick={() => {
          setCode("")
          setTrouble(undefined)
          setPaper(!isPaper)
        }}
      >
        {isPaper ? "I have a code from an e-mail" : "I have a code on paper"}
      </Button>
      <p>We never call you for this code.</p>
      <JoinWaitlist />
      {isOver ? null : <Button kind="link" onClick={onLeft}>Stop and go back</Button>}
    </form>
  )
}

const isEnd = ({ attemptsLeft, error }: Problem) =>
  (error === "otp_invalid" && attemptsLeft === 0) || error === "unauthenticated"

const wordsOf = (problem: Problem) => {
  const { attemptsLeft = 0, error } = problem
  if (isEnd(problem)) return "That code no longer works. Start again."
  if (error !== "otp_invalid") return problemText(problem)
  return `That code is not right. ${attemptsLeft} ${attemptsLeft === 1 ? "try" : "tries"} left.`
}
