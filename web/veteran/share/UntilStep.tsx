import { useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { dayChoices, dayRange, isUntil, treatment } from "./Draft.ts"
import { Radios } from "./Radios.tsx"
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
        <Radios
          name="until"
          legend={words.legend}
          value={until.is === "days" ? until.days : until.is}
          of={[
            ...(wasMoment === undefined ? [] : [["moment", words.asNow(dayWords(wasMoment.at))] as const]),
            ...dayChoices.map((days) => [days as number, lengths(days)] as const),
            ["day", words.day]
          ]}
          onChange={(chosen) => {
            clear()
            change({
              until: typeof chosen === "number"
                ? { is: "days", days: chosen }
                : chosen === "moment" && wasMoment !== undefined
                ? wasMoment
                : { is: "day", day: "" }
            })
          }}
        />
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
        <Radios
          name="purpose"
          legend={words.why}
          value={isOwn ? "other" : treatment}
          of={[[treatment, words.treatment], ["other", words.other]]}
          onChange={(chosen) => {
            clear()
            setOwn(chosen === "other")
            change({ purpose: chosen === "other" ? "" : treatment })
          }}
        />
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
