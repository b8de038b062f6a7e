import { Effect } from "effect"
import { useCallback, useMemo, useState } from "react"
import type { OpenedLink } from "../../../src/domain/SecureLink.ts"
import { useRead } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Steps } from "../../shared/ui/Steps.tsx"
import { problemWords } from "../../shared/Words.ts"
import { Ask } from "./Ask.tsx"
import type { SentCode } from "./Code.ts"
import { type End, endOf, leadsOn } from "./End.ts"
import { Ended } from "./Ended.tsx"
import { EnterCode, type ReceivedRelease } from "./EnterCode.tsx"
import { Read } from "./Read.tsx"
import { connectRecipient } from "./Recipient.ts"
import { SendCode } from "./SendCode.tsx"

interface Unsaved {
  /** Called with true when leaving the page would lose the document, and with false when it no longer would. */
  readonly onUnsaved: (unsaved: boolean) => void
}

/** The way from the link to the document: one button, one field, one file to save. */
export const Flow = ({ onUnsaved, token }: Unsaved & { readonly token: string }) => {
  const open = useMemo(
    () => Effect.flatMap(connectRecipient, (recipient) => recipient.open({ payload: { token } })),
    [token]
  )
  const { again, state } = useRead(open)
  if (state.is === "pending") {
    return (
      <section className="card">
        <Loading>Checking the link</Loading>
      </section>
    )
  }
  if (state.is === "done") return <Opened opened={state.value} token={token} onUnsaved={onUnsaved} />
  const end = endOf(state.problem.error)
  return end === undefined ? <NotOpened problem={state.problem} again={again} /> : <Ended end={end} />
}

/** Shown if the service could not be reached, or refused the request temporarily. The link still works. */
const NotOpened = ({ again, problem }: { readonly problem: Problem; readonly again: () => void }) => {
  const { text, title } = problemWords(problem)
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{text}</p>
      <div className="actions">
        <Button onClick={again}>Try again</Button>
      </div>
    </section>
  )
}

type Step =
  | { readonly is: "ask" }
  | { readonly is: "code"; readonly code: SentCode }
  | { readonly is: "read"; readonly received: ReceivedRelease }
  | { readonly is: "ended"; readonly end: End }

const Opened = ({ onUnsaved, opened, token }: Unsaved & {
  readonly opened: typeof OpenedLink.Type
  readonly token: string
}) => {
  const [step, setStep] = useState<Step>({ is: "ask" })
  const [notBefore, setNotBefore] = useState(0)
  const end = useCallback((end: End) => {
    setStep({ is: "ended", end })
    onUnsaved(false)
  }, [onUnsaved])
  const enter = (code: SentCode) => {
    setNotBefore(code.againAt)
    setStep({ is: "code", code })
  }
  const read = (received: ReceivedRelease) => {
    setStep({ is: "read", received })
    onUnsaved(true)
  }
  useTitle(
    {
      ask: "A health document for you",
      code: "Enter your code",
      read: "Your document",
      ended: "A health document for you"
    }[step.is]
  )
  if (step.is === "ended") {
    return (
      <Ended key={step.end} end={step.end}>
        {leadsOn(step.end)
          ? <SendCode token={token} notBefore={notBefore} onEnd={end} onSent={enter}>Get a new code</SendCode>
          : undefined}
      </Ended>
    )
  }
  return (
    <>
      <Steps at={["ask", "code", "read"].indexOf(step.is)} of={["Get a code", "Enter the code", "Read and save"]} />
      {step.is === "ask"
        ? <Ask opened={opened} token={token} onEnd={end} onSent={enter} />
        : step.is === "code"
        ? (
          <EnterCode
            code={step.code}
            hint={opened.recipientHint}
            token={token}
            onEnd={end}
            onReceived={read}
            onSent={enter}
          />
        )
        : <Read received={step.received} onEnd={end} onSaved={() => onUnsaved(false)} />}
    </>
  )
}
