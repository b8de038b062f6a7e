import { useState } from "react"
import type { State } from "../../shared/Call.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Choice } from "./Choice.tsx"
import { KindsChoice } from "./KindsChoice.tsx"
import type { RecordKinds } from "./RecordKinds.ts"
import type { StepProps } from "./Step.ts"
import { StepForm } from "./StepForm.tsx"
import { useShareWords } from "./Words.ts"

/** Chooses everything or some kinds, and what the veteran added. */
export const WhatStep = ({ again, change, draft, kinds, onBack, onNext }: StepProps & {
  readonly kinds: State<RecordKinds>
  readonly again: () => void
}) => {
  const { what } = useShareWords()
  const [isMissing, setMissing] = useState(false)
  const chosen = draft.kinds
  const choose = (next: ReadonlyArray<string> | null) => {
    setMissing(false)
    change({ kinds: next })
  }
  return (
    <StepForm
      heading={what.heading}
      onBack={onBack}
      onSubmit={() => {
        if (chosen?.length === 0) return setMissing(true)
        onNext()
      }}
    >
      {isMissing
        ? <Notice kind="error" live>{what.missing}</Notice>
        : null}
      <div className="card stack">
        <KindsChoice
          words={what}
          all={kinds.is === "done" ? kinds.value.all : undefined}
          chosen={chosen}
          onChange={choose}
        >
          {chosen === null ? null : <Reading of={{ state: kinds, again }} />}
        </KindsChoice>
        <fieldset>
          <legend>{what.fromMe}</legend>
          <Choice
            type="checkbox"
            label={what.ownWords}
            hint={what.ownWordsHint}
            checked={draft.ownWords}
            onChange={({ target }) => change({ ownWords: target.checked })}
          />
          <Choice
            type="checkbox"
            label={what.documents}
            hint={what.documentsHint}
            checked={draft.documents}
            onChange={({ target }) => change({ documents: target.checked })}
          />
        </fieldset>
      </div>
    </StepForm>
  )
}
