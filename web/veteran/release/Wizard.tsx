import { useEffect, useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Steps } from "../../shared/ui/Steps.tsx"
import type { Client } from "../AppClient.ts"
import { useSteps } from "../frame/Steps.ts"
import { goTo } from "../Route.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { useRecordKinds } from "../share/RecordKinds.ts"
import type { Signed } from "./Doubt.ts"
import { type ReleaseDraft, requestOf } from "./Draft.ts"
import { noDrawing } from "./Ink.ts"
import { keyOf, usePreview } from "./MakingPreview.ts"
import { type BegunRelease, type Step, step as steps } from "./Memory.ts"
import { useOwnPerson } from "./OwnPerson.ts"
import { PreviewStep, type Returned } from "./PreviewStep.tsx"
import type { Replaced } from "./Replaced.ts"
import { useSigning } from "./Signing.ts"
import { type Signature, SignStep } from "./SignStep.tsx"
import { UntilStep } from "./UntilStep.tsx"
import { WhatStep } from "./WhatStep.tsx"
import { WhoStep } from "./WhoStep.tsx"
import { useReleaseWords } from "./Words.ts"
import { isSameName, mendingOf, type Wrong } from "./Wrong.ts"

const unsigned: Signature = {
  asItIs: false,
  read: false,
  electronic: false,
  typedName: "",
  nameDiffers: false,
  isDrawing: false,
  drawing: noDrawing
}

const none: ReadonlyArray<Wrong> = []

const noKinds: ReadonlyArray<string> = []

const readReadiness = ({ roi }: Client) => roi.readiness({ params: me })

/** The five steps of a release. Each has an entry in the browser's history, so that its Back goes one step back. */
export const Wizard = ({ begin, isLost, keep, onSigned, replaced }: {
  readonly begin: BegunRelease
  /** Some of what was entered has left the memory. */
  readonly isLost: boolean
  /** Keeps the release in memory, so that a sign-in in between finds it again. */
  readonly keep: (begun: BegunRelease) => void
  readonly replaced: Replaced | undefined
  readonly onSigned: (signed: Signed) => void
}) => {
  const words = useReleaseWords()
  // Days are counted from here, so that the pages and the signature have the same end.
  const [now] = useState(() => new Date())
  const [draft, setDraft] = useState(begin.draft)
  const { move: moveTo, step } = useSteps<Step>(begin.step)
  const [attempt, setAttempt] = useState(begin.attempt)
  const [refused, setRefused] = useState(none)
  const [returned, setReturned] = useState<Returned>()
  const [signature, setSignature] = useState(unsigned)
  const { again, state: kinds } = useRecordKinds()
  const { state: person } = useOwnPerson()
  const readiness = useOwnRead(readReadiness)
  const { cancel, make, preview } = usePreview()

  const all = kinds.is === "done" ? kinds.value.all : noKinds
  const types = draft.kinds ?? all
  const request = requestOf(draft, { all, now, replaces: replaced?.id })

  const made = preview.is === "done" ? preview.value : undefined
  // Pages of another request are not what would be signed.
  const isCurrent = made !== undefined && made.key === keyOf(request)
  const canMake = draft.kinds !== null || all.length > 0

  useEffect(() => keep({ draft, step, attempt }), [attempt, draft, keep, step])

  useEffect(() => {
    if (person.is === "done") setDraft((before) => ({ ...before, veteran: before.veteran ?? person.value }))
  }, [person])

  const move = (to: Step, wrong = none) => {
    setRefused(wrong)
    moveTo(to)
  }

  const show = (isChanged = false) => {
    setReturned(isChanged ? "changed" : undefined)
    move(steps.preview)
    // Pages of the same request are not asked for again, unless the record has changed.
    if (preview.is !== "pending" && (isChanged || !isCurrent)) make(request)
  }

  const signing = useSigning({
    attempt,
    onAttempt: setAttempt,
    onChanged: () => show(true),
    onRefused: (problem: Problem) => {
      const mending = mendingOf(problem)
      if (mending !== undefined) move(mending.step, mending.wrong)
    },
    onSigned
  })

  const sign = () => {
    if (made === undefined || !isCurrent) return show()
    const { asItIs, drawing, nameDiffers, typedName } = signature
    signing.sign({
      seen: made,
      request,
      incompleteRecordConfirmed: asItIs,
      signature: {
        typedName: typedName.trim(),
        consentToElectronicSignature: true,
        signerRole: "veteran",
        ...nameDiffers && !isSameName(typedName, request.veteran.fullName) ? { nameDiffers } : {},
        ...drawing.png === "" ? {} : { drawnPng: drawing.png }
      }
    })
  }

  // A signing under way, or in doubt, is shown before all else. Nothing is signed whose pages were not shown.
  const isSigning = signing.busy || signing.isDoubtful
  const at = isSigning ? steps.sign : step === steps.sign && !isCurrent ? steps.preview : step
  const props = {
    draft,
    refused,
    change: (changes: Partial<ReleaseDraft>) => setDraft((before) => ({ ...before, ...changes })),
    onBack: () => at > steps.who ? move((at - 1) as Step) : goTo({ screen: "sharing" })
  }
  return (
    <>
      <Steps at={at} of={words.steps} />
      {replaced === undefined
        ? null
        : <Notice kind="info">{words.replaced.notice(dayWords(replaced.signedAt))}</Notice>}
      {isLost ? <Notice kind="warning">{words.lost}</Notice> : null}
      {at === steps.who
        ? <WhoStep key={`who ${refused.length}`} {...props} onNext={() => move(steps.what)} />
        : at === steps.what
        ? (
          <WhatStep
            key={`what ${refused.length}`}
            {...props}
            kinds={kinds}
            again={again}
            replaced={replaced?.categories ?? noKinds}
            onNext={() => move(steps.until)}
          />
        )
        : at === steps.until
        ? <UntilStep key={`until ${refused.length}`} {...props} onNext={() => show()} />
        : at === steps.preview || made === undefined
        ? (
          <PreviewStep
            key="preview"
            {...props}
            preview={made === undefined || isCurrent ? preview : { is: "none" }}
            returned={returned ?? (made !== undefined && !isCurrent ? "outdated" : undefined)}
            canMake={canMake}
            make={() => make(request)}
            cancel={cancel}
            onChange={() => move(steps.what)}
            onNext={() => {
              setReturned(undefined)
              readiness.refresh()
              move(steps.sign)
            }}
          />
        )
        : (
          <SignStep
            key={`sign ${refused.length}`}
            {...props}
            now={now}
            replaces={replaced?.id}
            types={types}
            seen={made}
            readiness={readiness.state}
            readAgain={readiness.again}
            signature={signature}
            change={(changes) => setSignature((before) => ({ ...before, ...changes }))}
            signing={signing}
            onSign={sign}
            onLook={() => show()}
            onChange={() => move(steps.what)}
          />
        )}
    </>
  )
}
