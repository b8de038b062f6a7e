import { useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { dayChoices } from "../share/Draft.ts"
import { Radios } from "../share/Radios.tsx"
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
  const { lengths, until: shared } = useShareWords()
  const [now] = useState(() => new Date())
  const { check, clear, errorOf, wrong } = useMending(refused)
  const choose = (next: ReleaseUntil) => {
    clear("until", "event")
    change({ until: next })
  }
  return (
    <StepForm
      heading={shared.heading}
      onBack={onBack}
      onSubmit={() => check(wrongUntil({ until, ...draft }, new Date())) ? onNext() : undefined}
    >
      <Mend wrong={wrong} />
      <div className="card stack">
        <Radios
          name="until"
          legend={words.legend}
          value={until.is === "days" ? until.days : until.is}
          of={[
            ...dayChoices.map((days) => [days as number, words.after(lengths(days))] as const),
            ["day", words.day],
            ["event", words.event]
          ]}
          onChange={(chosen) =>
            choose(
              typeof chosen === "number"
                ? { is: "days", days: chosen }
                : chosen === "day"
                ? { is: "day", day: "" }
                : { is: "event", event: "" }
            )}
        />
        {until.is === "day"
          ? (
            <Field
              label={shared.lastDay}
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
