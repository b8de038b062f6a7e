import { useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { Choice } from "../share/Choice.tsx"
import { dayChoices } from "../share/Draft.ts"
import { StepForm } from "../share/StepForm.tsx"
import { useShareWords } from "../share/Words.ts"
import { endRange, lastMoment, type ReleaseUntil } from "./Draft.ts"
import { Mend, useMending } from "./Mend.tsx"
import type { StepProps } from "./Step.ts"
import { useReleaseWords } from "./Words.ts"
import { wrongUntil } from "./Wrong.ts"

/** Chooses when the release ends by itself. */
export const UntilStep = ({ change, draft: { until, ...draft }, onBack, onNext, refused }: StepProps) => {
  const { until: words } = useReleaseWords()
  const { lengths } = useShareWords()
  const [now] = useState(() => new Date())
  const { check, clear, errorOf, wrong } = useMending(refused)
  const choose = (next: ReleaseUntil) => {
    clear("until", "event")
    change({ until: next })
  }
  return (
    <StepForm
      heading={words.heading}
      onBack={onBack}
      onSubmit={() => check(wrongUntil({ until, ...draft }, new Date())) ? onNext() : undefined}
    >
      <Mend wrong={wrong} />
      <div className="card stack">
        <fieldset>
          <legend>{words.legend}</legend>
          {dayChoices.map((days) => (
            <Choice
              key={days}
              type="radio"
              name="until"
              label={words.after(lengths(days))}
              checked={until.is === "days" && until.days === days}
              onChange={() => choose({ is: "days", days })}
            />
          ))}
          <Choice
            type="radio"
            name="until"
            label={words.day}
            checked={until.is === "day"}
            onChange={() => choose({ is: "day", day: "" })}
          />
          <Choice
            type="radio"
            name="until"
            label={words.event}
            checked={until.is === "event"}
            onChange={() => choose({ is: "event", event: "" })}
          />
        </fieldset>
        {until.is === "day"
          ? (
            <Field
              label={words.lastDay}
              hint={words.lastDayHint}
              type="date"
              {...endRange(now)}
              error={errorOf("until")}
              data-place="until"
              value={until.day}
              onChange={({ target }) => choose({ is: "day", day: target.value })}
            />
          )
          : null}
        {until.is === "event"
          ? (
            <Field
              label={words.what}
              hint={words.whatHint(dayWords(lastMoment(until, now)))}
              error={errorOf("event")}
              data-place="event"
              autoComplete="off"
              dir="auto"
              value={until.event}
              onChange={({ target }) => choose({ is: "event", event: target.value })}
            />
          )
          : null}
      </div>
      <p className="soft">{words.stop}</p>
    </StepForm>
  )
}
