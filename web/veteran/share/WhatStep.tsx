import { useState } from "react"
import type { State } from "../../shared/Call.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Choice } from "./Choice.tsx"
import { KindList } from "./KindList.tsx"
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
        ? (
          <Notice kind="error" live>
            <p>{what.missing}</p>
          </Notice>
        )
        : null}
      <div className="card stack">
        <fieldset>
          <legend>{what.fromVa}</legend>
          <Choice
            type="radio"
            name="kinds"
            label={what.all}
            checked={chosen === null}
            onChange={() => choose(null)}
          />
          <Choice
            type="radio"
            name="kinds"
            label={what.some}
            checked={chosen !== null}
            onChange={() => choose([])}
          />
        </fieldset>
        {chosen === null ? null : (
          <KindList
            all={kinds.is === "done" ? kinds.value.all : undefined}
            chosen={chosen}
            legend={what.kinds}
            onChange={choose}
          >
            <Reading of={{ state: kinds, again }} />
          </KindList>
        )}
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
