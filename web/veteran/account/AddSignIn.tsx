import { Effect } from "effect"
import { useEffect, useRef, useState } from "react"
import { Problem } from "../../shared/Problem.ts"
import { useSending } from "../../shared/Sending.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { waitOf } from "../../shared/Words.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { addedByVa, goToVa } from "../connect/Connect.ts"
import { takeReturn } from "../connect/KeptReturn.ts"
import { Refusal } from "../connect/ToVa.tsx"
import { type Session, useSession } from "../session/Session.ts"
import { isDeclined } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

/** A confirmation that lasts no longer, in milliseconds, would be over when the browser comes back. */
const shortest = 60_000

/** Fails if the veteran has to be confirmed first. At the VA it would be too late: there the other account signs in. */
const checked = ({ confirmedUntil, renewed }: Session) =>
  Effect.flatMap(
    renewed,
    () =>
      (confirmedUntil()?.getTime() ?? 0) > Date.now() + shortest
        ? Effect.void
        : Effect.fail(Problem.make({ error: "confirmation_required" }))
  )

/** Leads to the VA for a sign-in with another account, and adds that account when the browser comes back. */
export const AddSignIn = ({ onAdded }: { readonly onAdded: (isAdded: boolean) => void }) => {
  const { signIns: words } = useAccountWords()
  const session = useSession()
  const confirmed = useConfirmed()
  const { busy, off, problem, send, setProblem } = useSending()
  const [step, setStep] = useState<"closed" | "open" | "adding">("closed")
  const refuse = (problem: Problem) => isDeclined(problem) ? undefined : setProblem(problem)
  const first = useRef<HTMLHeadingElement>(null)
  useEffect(() => step === "open" ? first.current?.focus() : undefined, [step])
  useEffect(() => {
    const returned = takeReturn("adds")
    if (returned === undefined) return
    setStep("adding")
    const end = (isAdded: boolean) => {
      setStep("closed")
      onAdded(isAdded)
    }
    send(addedByVa(session, confirmed, returned), () => end(true), (problem) => {
      refuse(problem)
      end(false)
    })
    // oxlint-disable-next-line react/exhaustive-deps -- the browser comes back once
  }, [])
  const go = () => send(Effect.andThen(confirmed(checked(session)), goToVa(location.hash, "adds")), () => {}, refuse)
  return (
    <>
      {problem === undefined ? null : <AddTrouble problem={problem} />}
      {step === "open"
        ? (
          <div className="stack">
            <h3 tabIndex={-1} ref={first}>{words.add}</h3>
            <p>{words.addText}</p>
            <div className="actions">
              <Button busy={busy} off={off} onClick={go}>{words.addGo}</Button>
              <Button kind="outline" onClick={() => setStep("closed")}>{words.cancel}</Button>
            </div>
          </div>
        )
        : (
          <Action
            kind="outline"
            busy={step === "adding"}
            off={off}
            onClick={() => {
              setProblem(undefined)
              setStep("open")
            }}
          >
            {words.add}
          </Action>
        )}
      <Loading when={busy}>{step === "adding" ? words.adding : words.addGoing}</Loading>
    </>
  )
}

const AddTrouble = ({ problem }: { readonly problem: Problem }) => {
  const { signIns: words } = useAccountWords()
  switch (problem.error) {
    case "conflict":
      return <Notice kind="error" live>{words.taken}</Notice>
    case "invalid_id_token":
      return <Notice kind="error" live>{words.other}</Notice>
    case "rate_limited":
      return <Notice kind="error" live>{words.tooMany(waitOf(problem.retryAfterSeconds ?? 60))}</Notice>
    default:
      return <Refusal of={problem} />
  }
}
