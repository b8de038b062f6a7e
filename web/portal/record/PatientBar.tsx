import type { ReactNode } from "react"
import type { Person } from "../../../src/clinical/Person.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { ageOn, recordedDay } from "../../shared/record/ClinicalDays.ts"
import { isDeceased } from "../../shared/record/Deceased.ts"
import { Clamped } from "../../shared/record/glance/Clamped.tsx"
import { missingIdentity } from "../../shared/record/Identity.ts"
import type { About } from "../../shared/record/Messages.ts"
import type { RecordState } from "../../shared/record/OpenRecord.ts"
import { PatientLine } from "../../shared/record/PatientLine.tsx"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"

/** The patient's identity, until when they share, and for what purpose. It stays in sight. */
export const PatientBar = ({ about, children, onNote, state }: {
  readonly about: About
  readonly state: RecordState
  readonly onNote: () => void
  /** The search and the copy. */
  readonly children: ReactNode
}) => {
  const patient = state.glance?.patient ?? null
  const name = patient?.name || about.callSign
  const missing = missingIdentity(about, state)
  const facts = factsOf(about, patient, name)
  return (
    <>
      <section className="card patient-bar" aria-label="Patient">
        <div className="row between">
          <div className="row name">
            <Heading>
              <bdi>{name}</bdi>
            </Heading>
            {patient?.flags.map((flag) => <Tag key={flag} kind="off">{flag}</Tag>)}
          </div>
          <div className="actions">
            {children}
            <Button kind="outline" onClick={onNote}>Write a note</Button>
            <Button kind="outline" onClick={() => print()}>Print</Button>
          </div>
        </div>
        {missing === null ? null : <p className="identity">{missing}</p>}
        <Facts of={facts.map(([label, text]) => [label, <Clamped key={label}>{text}</Clamped>])} />
      </section>
      <PatientLine name={name} facts={facts.filter(([label]) => label === "Born" || label === "Died")} />
    </>
  )
}

const factsOf = (about: About, patient: Person | null, name: string) => {
  const { callSign, expiresAt, purpose } = about
  const updated = oldestUpdate(about)
  const facts: Array<readonly [string, string]> = []
  if (patient?.born) facts.push(["Born", recordedDay(patient.born) + ageWords(patient, patient.born)])
  if (patient?.died) facts.push(["Died", recordedDay(patient.died.slice(0, 10))])
  if (patient?.sex) facts.push(["Sex", patient.sex])
  if (name !== callSign) facts.push(["Call sign", callSign])
  facts.push(["Shared with you until", dayWords(new Date(expiresAt))])
  if (purpose !== "") facts.push(["For", purpose])
  if (updated !== undefined) facts.push(["Updated", timeWords(new Date(updated))])
  return facts
}

/** The last complete update of the type of the first glance that was updated longest ago. */
const oldestUpdate = ({ sections }: About) =>
  sections.filter(({ resourceType }) => glanceTypes.includes(resourceType))
    .map(({ lastCompleteAt }) => lastCompleteAt).filter((at) => at !== null).toSorted()[0]

const glanceTypes = ["AllergyIntolerance", "Condition", "MedicationRequest", "MedicationStatement", "Observation"]

/** A patient who died has no age today. */
const ageWords = (patient: Person, born: string) => {
  const age = isDeceased(patient) ? null : ageOn(born, new Date())
  return age === null ? "" : ` (${age})`
}
