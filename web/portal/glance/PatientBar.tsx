import { memo } from "react"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { ageOn, recordedDay } from "../../shared/record/ClinicalDays.ts"
import type { Person } from "../../shared/record/Glance.ts"
import type { About } from "../../shared/record/Messages.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"

/**
 * The patient's identity, the end of the share, and its purpose. On wide screens the bar stays visible while the page
 * scrolls.
 */
export const PatientBar = memo(({ about, onNote, patient }: {
  readonly about: About
  readonly patient: Person | null
  readonly onNote: () => void
}) => {
  const { callSign, expiresAt, purpose, sections } = about
  const name = patient?.name || callSign
  const updated = sections.map(({ lastCompleteAt }) => lastCompleteAt).filter((at) => at !== null).toSorted().at(-1)
  const age = patient?.born ? ageOn(patient.born, new Date()) : null
  const facts: Array<readonly [string, string]> = []
  if (patient?.born) {
    const isOver = patient.flags.includes("Deceased")
    facts.push(["Born", `${recordedDay(patient.born)}${age === null || isOver ? "" : ` (${age})`}`])
  }
  if (patient?.sex) facts.push(["Sex", patient.sex])
  if (name !== callSign) facts.push(["Call sign", callSign])
  facts.push(["Shared with you until", dayWords(new Date(expiresAt))])
  if (purpose !== "") facts.push(["For", purpose])
  if (updated !== undefined) facts.push(["Updated", timeWords(new Date(updated))])
  return (
    <section className="card patient-bar" aria-label="Patient">
      <div className="row between">
        <div className="row name">
          <Heading>
            <bdi>{name}</bdi>
          </Heading>
          {patient?.flags.map((flag) => <Tag key={flag} kind="off">{flag}</Tag>)}
        </div>
        <div className="actions">
          <Button kind="outline" onClick={onNote}>Write a note</Button>
          <Button kind="outline" onClick={() => print()}>Print</Button>
        </div>
      </div>
      <Facts of={facts.map(([label, text]) => [label, <bdi key={label}>{text}</bdi>])} />
    </section>
  )
})
