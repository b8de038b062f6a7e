import { useState } from "react"
import { wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import type { State } from "../../shared/Call.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { Choice } from "./Choice.tsx"
import type { RecordKinds } from "./RecordKinds.ts"
import type { StepProps } from "./Step.ts"
import { StepActions } from "./StepActions.tsx"

/** Chooses everything or some kinds, and what the veteran added. */
export const WhatStep = ({ again, change, draft, kinds, onBack, onNext }: StepProps & {
  readonly kinds: State<RecordKinds>
  readonly again: () => void
}) => {
  const [isMissing, setMissing] = useState(false)
  const chosen = draft.kinds
  // What the draft has stays offered, even if the record no longer has such a kind.
  const offered = kinds.is === "done"
    ? [...new Set([...kinds.value.all, ...chosen ?? []])].sort((a, b) => wordsFor(a).localeCompare(wordsFor(b)))
    : []
  const choose = (next: ReadonlyArray<string> | null) => {
    setMissing(false)
    change({ kinds: next })
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen?.length === 0) return setMissing(true)
        onNext()
      }}
    >
      <Heading>What may they read?</Heading>
      {isMissing
        ? (
          <Notice kind="error" live>
            <p>Choose at least one kind, or everything.</p>
          </Notice>
        )
        : null}
      <div className="card stack">
        <fieldset>
          <legend>From VA</legend>
          <Choice
            type="radio"
            name="kinds"
            label="Everything from VA (new updates too)"
            checked={chosen === null}
            onChange={() => choose(null)}
          />
          <Choice
            type="radio"
            name="kinds"
            label="Choose kinds"
            checked={chosen !== null}
            onChange={() => choose([])}
          />
        </fieldset>
        {chosen === null ? null : (
          <fieldset>
            <legend>Kinds</legend>
            <Loading when={kinds.is === "pending"} />
            {kinds.is === "failed" ? <Trouble problem={kinds.problem} again={again} /> : null}
            {offered.map((type) => (
              <Choice
                key={type}
                type="checkbox"
                label={wordsFor(type)}
                checked={chosen.includes(type)}
                onChange={({ target }) =>
                  choose(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
              />
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>From me</legend>
          <Choice
            type="checkbox"
            label="My own words"
            hint="What you wrote here yourself. They see it marked as yours."
            checked={draft.ownWords}
            onChange={({ target }) => change({ ownWords: target.checked })}
          />
          <Choice
            type="checkbox"
            label="My documents"
            hint="Files that you added here."
            checked={draft.documents}
            onChange={({ target }) => change({ documents: target.checked })}
          />
        </fieldset>
      </div>
      <StepActions onBack={onBack} />
    </form>
  )
}
