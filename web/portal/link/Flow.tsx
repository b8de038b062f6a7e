import { Effect } from "effect"
import { type ComponentType, lazy, Suspense, useCallback, useMemo, useState } from "react"
import type { OpenedLink } from "../../../src/domain/SecureLink.ts"
import { useRead } from "../../shared/Call.ts"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { NotShown } from "../../shared/ui/NotShown.tsx"
import { Steps } from "../../shared/ui/Steps.tsx"
import { problemWords } from "../../shared/Words.ts"
import { Ask } from "./Ask.tsx"
import type { SentCode } from "./Code.ts"
import type { ReceivedRelease } from "./Download.ts"
import { type End, endOf, endWords, leadsOn } from "./End.ts"
import { Ended } from "./Ended.tsx"
import { EnterCode } from "./EnterCode.tsx"
import { useLinkWords } from "./LinkLanguage.ts"
import { Read } from "./Read.tsx"
import { connectRecipient } from "./Recipient.ts"
import type { FrameProperties } from "./SandboxedRelease.tsx"
import { SendCode } from "./SendCode.tsx"

/**
 * The document can be saved without it. Nothing else of the way is loaded later: a browser remembers a part that it
 * could not load, so trying again would not help.
 */
const SandboxedRelease = lazy<ComponentType<FrameProperties>>(() =>
  import("./SandboxedRelease.tsx").catch(() => ({ default: NoFrame }))
)

const NoFrame = ({ release }: FrameProperties) => release && <NotShown />

interface LinkProperties {
  readonly token: string
  readonly isForApps: boolean
  /** Called with true when leaving the page would lose the document, and with false when it no longer would. */
  readonly onUnsaved: (unsaved: boolean) => void
}

/** The way from the link to the document: one button, one field, one file to save. */
export const Flow = ({ isForApps, onUnsaved, token }: LinkProperties) => {
  const open = useMemo(
    () => Effect.flatMap(connectRecipient, (recipient) => recipient.open({ payload: { token } })),
    [token]
  )
  const { again, state } = useRead(open)
  const { checking, tryAgain } = useLinkWords()
  if (state.is === "pending") {
    return (
      <section className="card">
        <Loading>{checking}</Loading>
      </section>
    )
  }
  if (state.is === "done") return <Opened {...{ isForApps, onUnsaved, token }} opened={state.value} />
  const end = endOf(state.problem.error)
  if (end !== undefined) return <Ended words={endWords(end)} />
  // The service could not be reached, or refused the request for a while. The link still works.
  return (
    <Ended words={problemWords(state.problem)}>
      <Button onClick={again}>{tryAgain}</Button>
    </Ended>
  )
}

type Step =
  | { readonly is: "ask" }
  | { readonly is: "code"; readonly code: SentCode }
  | { readonly is: "read"; readonly received: ReceivedRelease }
  | { readonly is: "ended"; readonly end: End }

const Opened = ({ isForApps, onUnsaved, opened, token }: LinkProperties & {
  readonly opened: typeof OpenedLink.Type
}) => {
  const [step, setStep] = useState<Step>({ is: "ask" })
  const [notBefore, setNotBefore] = useState(0)
  const [files, setFiles] = useState<ReadonlyArray<PdfAttachment>>([])
  const words = useLinkWords()
  const end = useCallback((end: End) => {
    setStep({ is: "ended", end })
    setFiles([])
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
  if (step.is === "ended") {
    return (
      <Ended key={step.end} words={endWords(step.end)}>
        {leadsOn(step.end)
          ? <SendCode token={token} notBefore={notBefore} onEnd={end} onSent={enter}>{words.send.again}</SendCode>
          : undefined}
      </Ended>
    )
  }
  return (
    <>
      <StepTitle>{{ ask: words.title, code: words.code.title, read: words.read.tab }[step.is]}</StepTitle>
      <Steps at={["ask", "code", "read"].indexOf(step.is)} of={words.steps} />
      {step.is === "ask"
        ? <Ask isForApps={isForApps} opened={opened} token={token} onEnd={end} onSent={enter} />
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
        : <Read files={files} received={step.received} onEnd={end} onSaved={() => onUnsaved(false)} />}
      {step.is === "ask"
        ? null
        : (
          <Suspense>
            <SandboxedRelease release={step.is === "read" ? step.received.release : undefined} onFiles={setFiles} />
          </Suspense>
        )}
    </>
  )
}

/** The tab's title follows the step. */
const StepTitle = ({ children }: { readonly children: string }) => {
  useTitle(children)
  return null
}
