import { useEffect, useState } from "react"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Steps } from "../../shared/ui/Steps.tsx"
import { useSteps } from "../frame/Steps.ts"
import { goTo } from "../Route.ts"
import { CheckStep } from "./CheckStep.tsx"
import type { Draft } from "./Draft.ts"
import { type Given, useGiving } from "./Giving.ts"
import { ProtectedStep } from "./ProtectedStep.tsx"
import { useRecordKinds } from "./RecordKinds.ts"
import { Refused } from "./Refused.tsx"
import { lastStep, stepOfIssue } from "./Step.ts"
import { UntilStep } from "./UntilStep.tsx"
import { WhatStep } from "./WhatStep.tsx"
import { WhoStep } from "./WhoStep.tsx"
import { useShareWords } from "./Words.ts"

/** A share that is being made, and the step at which it stands. */
export interface BegunShare {
  readonly draft: Draft
  readonly step: number
}

/** The five steps of a share. Each step has an entry in the browser's history, so that its Back goes one step back. */
export const Wizard = ({ begin, keep, onGiven, replaces }: {
  readonly begin: BegunShare
  /** Keeps the share in memory, so that a sign-in in between finds it again. */
  readonly keep: (begun: BegunShare) => void
  readonly replaces: string | undefined
  readonly onGiven: (given: Given) => void
}) => {
  const { refused, steps } = useShareWords()
  const [draft, setDraft] = useState(begin.draft)
  const { move, setStep, step } = useSteps(begin.step)
  const [isReturning, setReturning] = useState(false)
  const { again, state: kinds } = useRecordKinds()
  const { busy, isDoubtful, problem, share } = useGiving({
    replaces,
    onGiven,
    // A refusal that names a part of the share leads to the step of this part.
    onRefused: ({ issues = [] }) => setStep((before) => stepOfIssue(issues) ?? before)
  })
  const isChange = replaces !== undefined

  useEffect(() => keep({ draft, step }), [keep, draft, step])

  const go = (to: number, returning = false) => {
    setReturning(returning)
    move(to)
  }

  const { recipient } = draft
  const at = recipient === undefined ? 0 : step
  const props = {
    draft,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    onNext: () => go(isReturning ? lastStep : at + 1),
    onBack: () => {
      if (isReturning) return go(lastStep)
      if (at > (isChange ? 1 : 0)) return go(at - 1)
      goTo({ screen: "sharing" })
    }
  }
  const notice = problem === undefined
    ? null
    : stepOfIssue(problem.issues ?? []) === undefined
    ? <Refused problem={problem} isDoubtful={isDoubtful} isChange={isChange} />
    : <Notice kind="error" live title={refused.mend}>{refused.mendText}</Notice>
  return (
    <>
      <Steps at={at} of={steps} />
      {at < lastStep ? notice : null}
      {at === 0
        ? <WhoStep key="who" {...props} />
        : at === 1
        ? <WhatStep key="what" {...props} kinds={kinds} again={again} />
        : at === 2
        ? <ProtectedStep key="protected" {...props} />
        : at === 3
        ? <UntilStep key="until" {...props} />
        : recipient === undefined
        ? null
        : (
          <CheckStep
            key="check"
            {...props}
            recipient={recipient}
            busy={busy}
            kinds={kinds}
            isChange={isChange}
            onChange={(to) => go(to, true)}
            onNext={() => share(draft, recipient)}
          >
            {notice}
          </CheckStep>
        )}
    </>
  )
}
