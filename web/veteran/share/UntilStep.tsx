import { useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Choice } from "./Choice.tsx"
import { dayChoices, dayRange, lengthWords, treatment, untilProblem } from "./Draft.ts"
import type { StepProps } from "./Step.ts"
import { StepActions } from "./StepActions.tsx"

/** Chooses when the share ends, and what it is for. */
export const UntilStep = ({ change, draft, onBack, onNext }: StepProps) => {
  const [now] = useState(() => new Date())
  const [wasMoment] = useState(draft.until.is === "moment" ? draft.until : undefined)
  const [error, setError] = useState<{ readonly day?: string | undefined; readonly purpose?: string | undefined }>({})
  const [isOwn, setOwn] = useState(draft.purpose !== treatment)
  const { until } = draft
  const clear = () => setError({})
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const day = untilProblem(until, new Date())
        const purpose = isBlank(draft.purpose) ? "Say in a few words what it is for." : undefined
        setError({ day, purpose })
        if (day === undefined && purpose === undefined) onNext()
      }}
    >
      <Heading>Until when?</Heading>
      <div className="card stack">
        <fieldset>
          <legend>They can read for</legend>
          {wasMoment === undefined ? null : (
            <Choice
              type="radio"
              name="until"
              label={`As now, until ${dayWords(wasMoment.at)}`}
              checked={until.is === "moment"}
              onChange={() => {
                clear()
                change({ until: wasMoment })
              }}
            />
          )}
          {dayChoices.map((days) => (
            <Choice
              key={days}
              type="radio"
              name="until"
              label={lengthWords(days)}
              checked={until.is === "days" && until.days === days}
              onChange={() => {
                clear()
                change({ until: { is: "days", days } })
              }}
            />
          ))}
          <Choice
            type="radio"
            name="until"
            label="Until a day that I choose"
            checked={until.is === "day"}
            onChange={() => change({ until: { is: "day", day: "" } })}
          />
        </fieldset>
        {until.is === "day"
          ? (
            <Field
              label="Last day"
              hint="At most a year from now."
              type="date"
              {...dayRange(now)}
              value={until.day}
              error={error.day}
              onChange={({ target }) => {
                clear()
                change({ until: { is: "day", day: target.value } })
              }}
            />
          )
          : null}
      </div>
      <div className="card stack">
        <fieldset>
          <legend>What is it for?</legend>
          <Choice
            type="radio"
            name="purpose"
            label="Treatment"
            checked={!isOwn}
            onChange={() => {
              clear()
              setOwn(false)
              change({ purpose: treatment })
            }}
          />
          <Choice
            type="radio"
            name="purpose"
            label="Something else"
            checked={isOwn}
            onChange={() => {
              setOwn(true)
              change({ purpose: "" })
            }}
          />
        </fieldset>
        {isOwn
          ? (
            <Field
              label="In your words"
              hint="They can read this."
              value={draft.purpose}
              maxLength={500}
              error={error.purpose}
              onChange={({ target }) => {
                clear()
                change({ purpose: target.value })
              }}
            />
          )
          : null}
      </div>
      <StepActions onBack={onBack} />
    </form>
  )
}
