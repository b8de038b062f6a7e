import { type InputHTMLAttributes, useState } from "react"
import { AuthorizationRequest } from "../../../src/domain/Release.ts"
import { purposeWords } from "../../shared/language/Names.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { dayText } from "../Moments.ts"
import { Choice } from "../share/Choice.tsx"
import { StepForm } from "../share/StepForm.tsx"
import type { ReleaseDraft } from "./Draft.ts"
import { Mend, useMending } from "./Mend.tsx"
import type { StepProps } from "./Step.ts"
import { useReleaseWords } from "./Words.ts"
import { type Place, wrongWho } from "./Wrong.ts"

const purposes = AuthorizationRequest.fields.purpose.fields.code.literals

/** Says whose record it is, who gets it, and why. */
export const WhoStep = ({ change, draft, onBack, onNext, refused }: StepProps) => {
  const { who } = useReleaseWords()
  const { check, clear, errorOf, wrong } = useMending(refused)
  const { purpose, recipient, veteran = { fullName: "", dateOfBirth: "" } } = draft
  const [today] = useState(() => dayText(new Date()))
  const needsReason = purpose.code === "other"

  /** A field of the recipient. */
  const field = (
    place: Place,
    part: keyof ReleaseDraft["recipient"],
    label: string,
    hint: string,
    input: InputHTMLAttributes<HTMLInputElement> = {}
  ) => (
    <Field
      {...input}
      label={label}
      hint={hint}
      error={errorOf(place)}
      data-place={place}
      autoComplete="off"
      value={recipient[part]}
      onChange={({ target }) => {
        clear(place)
        change({ recipient: { ...recipient, [part]: target.value } })
      }}
    />
  )

  return (
    <StepForm
      heading={who.heading}
      onBack={onBack}
      onSubmit={() => check(wrongWho(draft, new Date())) ? onNext() : undefined}
    >
      <Mend wrong={wrong} />
      <p>{who.intro}</p>
      <section className="card stack">
        <h2>{who.person}</h2>
        {field("name", "name", who.name, who.nameHint, { dir: "auto" })}
        {field("email", "email", who.email, who.emailHint, {
          type: "email",
          inputMode: "email",
          autoCapitalize: "none",
          spellCheck: false
        })}
        {field("organization", "organization", who.organization, who.optional, { dir: "auto" })}
        {field("position", "title", who.position, who.optional, { dir: "auto" })}
        {field("npi", "npi", who.npi, who.npiHint, { inputMode: "numeric" })}
      </section>
      <div className="card stack">
        <fieldset>
          <legend>{who.why}</legend>
          {errorOf("purpose") === undefined
            ? null
            : <span className="usa-error-message">{errorOf("purpose")}</span>}
          {purposes.map((code, index) => (
            <Choice
              key={code}
              type="radio"
              name="purpose"
              label={purposeWords(code)}
              {...index === 0 ? { "data-place": "purpose" } : {}}
              checked={purpose.code === code}
              onChange={() => {
                clear("purpose", "reason")
                change({ purpose: { ...purpose, code } })
              }}
            />
          ))}
        </fieldset>
        <Field
          label={who.reason}
          hint={needsReason ? who.reasonHint : `${who.reasonHint} ${who.optional}`}
          error={errorOf("reason")}
          data-place="reason"
          autoComplete="off"
          dir="auto"
          value={purpose.text}
          onChange={({ target }) => {
            clear("reason")
            change({ purpose: { ...purpose, text: target.value } })
          }}
        />
      </div>
      <section className="card stack">
        <h2>{who.me}</h2>
        <Field
          label={who.fullName}
          hint={who.fullNameHint}
          error={errorOf("fullName")}
          data-place="fullName"
          autoComplete="name"
          dir="auto"
          value={veteran.fullName}
          onChange={({ target }) => {
            clear("fullName")
            change({ veteran: { ...veteran, fullName: target.value } })
          }}
        />
        <Field
          label={who.born}
          type="date"
          max={today}
          error={errorOf("born")}
          data-place="born"
          autoComplete="bday"
          value={veteran.dateOfBirth}
          onChange={({ target }) => {
            clear("born")
            change({ veteran: { ...veteran, dateOfBirth: target.value } })
          }}
        />
      </section>
    </StepForm>
  )
}
