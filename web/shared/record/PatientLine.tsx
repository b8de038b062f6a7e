/** Repeats the patient's bar for the eye, in one line that stays in sight where the bar does not. */
export const PatientLine = ({ facts, name }: {
  readonly name: string
  readonly facts: ReadonlyArray<readonly [label: string, text: string]>
}) => (
  <p className="patient-line" aria-hidden="true">
    <b>
      <bdi>{name}</bdi>
    </b>
    {facts.map(([label, text]) => ` · ${label} ${text}`)}
  </p>
)
