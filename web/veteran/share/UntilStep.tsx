import { useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { Choice } from "./Choice.tsx"
import { dayChoices, dayRange, isUntil, treatment } from "./Draft.ts"
import type { StepProps } from "./Step.ts"
import { StepForm } from "./StepForm.tsx"
import { useShareWords } from "./Words.ts"

/** Chooses when the share ends, and what it is for. */
export const UntilStep = ({ change, draft, onBack, onNext }: StepProps) => {
  const { lengths, until: words } = useShareWords()
  const [now] = useState(() => new Date())
  const [wasMoment] = useState(draft.until.is === "moment" ? draft.until : undefined)
  const [error, setError] = useState({ day: false, purpose: false })
  const [isOwn, setOwn] = useState(draft.purpose !== treatment)
  const { until } = draft
  const clear = () => setError({ day: false, purpose: false })
  return (
    <StepForm
      heading={words.heading}
      onBack={onBack}
      onSubmit={() => {
        const [day, purpose] = [!isUntil(until, new Date()), isBlank(draft.purpose)]
        setError({ day, purpose })
        if (!day && !purpose) onNext()
      }}
    >
      <div className="card stack">
        <fieldset>
          <legend>{words.legend}</legend>
          {wasMoment === undefined ? null : (
            <Choice
              type="radio"
              name="until"
              label={words.asNow(dayWords(wasMoment.at))}
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
              label={lengths(days)}
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
            label={words.day}
            checked={until.is === "day"}
            onChange={() => change({ until: { is: "day", day: "" } })}
          />
        </fieldset>
        {until.is === "day"
          ? (
            <Field
              label={words.lastDay}
              hint={words.lastDayHint}
              type="date"
              {...dayRange(now)}
              value={until.day}
              error={error.day ? words.wrong : undefined}
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
          <legend>{words.why}</legend>
          <Choice
            type="radio"
            name="purpose"
            label={words.treatment}
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
            label={words.other}
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
              label={words.reason}
              hint={words.reasonHint}
              value={draft.purpose}
              maxLength={500}
              error={error.purpose ? words.reasonMissing : undefined}
              onChange={({ target }) => {
                clear()
                change({ purpose: target.value })
              }}
            />
          )
          : null}
      </div>
    </StepForm>
  )
}
