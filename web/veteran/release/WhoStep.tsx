import { type ComponentProps, useState } from "react"
import { AuthorizationRequest } from "../../../src/domain/Release.ts"
import { purposeWords } from "../../shared/language/Names.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { dayText } from "../Moments.ts"
import { Radios } from "../share/Radios.tsx"
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

  const field = (
    place: Place,
    label: string,
    value: string,
    set: (value: string) => void,
    input: Partial<ComponentProps<typeof Field>> = {}
  ) => (
    <Field
      autoComplete="off"
      {...input}
      label={label}
      error={errorOf(place)}
      data-place={place}
      value={value}
      onChange={({ target }) => {
        clear(place)
        set(target.value)
      }}
    />
  )
  /** A field of the recipient. */
  const theirs = (
    place: Place,
    part: keyof ReleaseDraft["recipient"],
    label: string,
    input: Partial<ComponentProps<typeof Field>>
  ) => field(place, label, recipient[part], (value) => change({ recipient: { ...recipient, [part]: value } }), input)

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
        {theirs("name", "name", who.name, { hint: who.nameHint, dir: "auto" })}
        {theirs("email", "email", who.email, {
          hint: who.emailHint,
          type: "email",
          inputMode: "email",
          autoCapitalize: "none",
          spellCheck: false
        })}
        {theirs("organization", "organization", who.organization, { hint: who.optional, dir: "auto" })}
        {theirs("position", "title", who.position, { hint: who.optional, dir: "auto" })}
        {theirs("npi", "npi", who.npi, { hint: who.npiHint, inputMode: "numeric" })}
      </section>
      <div className="card stack">
        <Radios
          name="purpose"
          place="purpose"
          legend={who.why}
          error={errorOf("purpose")}
          value={purpose.code}
          of={purposes.map((code) => [code, purposeWords(code)] as const)}
          onChange={(code) => {
            clear("purpose", "reason")
            change({ purpose: { ...purpose, code } })
          }}
        />
        {field("reason", who.reason, purpose.text, (text) => change({ purpose: { ...purpose, text } }), {
          hint: needsReason ? who.reasonHint : `${who.reasonHint} ${who.optional}`,
          dir: "auto"
        })}
      </div>
      <section className="card stack">
        <h2>{who.me}</h2>
        {field(
          "fullName",
          who.fullName,
          veteran.fullName,
          (fullName) => change({ veteran: { ...veteran, fullName } }),
          {
            hint: who.fullNameHint,
            autoComplete: "name",
            dir: "auto"
          }
        )}
        {field(
          "born",
          who.born,
          veteran.dateOfBirth,
          (dateOfBirth) => change({ veteran: { ...veteran, dateOfBirth } }),
          {
            type: "date",
            max: today,
            autoComplete: "bday"
          }
        )}
      </section>
    </StepForm>
  )
}
