import { useState } from "react"
import type { Person } from "../../../src/clinical/Person.ts"
import { dayWords } from "../../shared/Dates.ts"
import { ageOn } from "../../shared/record/ClinicalDays.ts"
import { deceased, isDeceased } from "../../shared/record/Deceased.ts"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import type { Authorization } from "./Authorization.ts"
import { calendarDay } from "./CalendarDay.ts"
import { useViewWords } from "./ViewLanguage.ts"
import type { ViewWords } from "./words/English.ts"

/** Whose record it is, by the signed authorization: name and birth date, above the record and the document. */
export const ReleasedPatient = ({ authorization: { endsAt, signedAt, veteran }, patient }: {
  readonly authorization: Authorization
  /** The record's Patient, null if there is none, and undefined until that is known. */
  readonly patient: Person | null | undefined
}) => {
  const view = useViewWords()
  const [today] = useState(() => new Date())
  // A patient who died has no age today.
  const age = patient === undefined || isDeceased(patient) ? null : ageOn(veteran.dateOfBirth, today)
  const facts = [
    ...identityOf(view, veteran, patient, age),
    [view.signed, dayWords(new Date(signedAt))] as const,
    [view.until, calendarDay(lastDayBefore(endsAt))] as const
  ]
  return (
    <section className="card patient-bar" aria-label={view.patient}>
      <div className="row name">
        <h1>
          <bdi>{veteran.fullName}</bdi>
        </h1>
        {patient?.flags.map((flag) => <Tag key={flag} kind="off">{flag === deceased ? view.deceased : flag}</Tag>)}
      </div>
      <Facts of={facts} />
    </section>
  )
}

/** Birth and death, for the head of both tabs and for the line that stays in sight. */
export const identityOf = (
  view: ViewWords,
  { dateOfBirth }: Authorization["veteran"],
  patient: Person | null | undefined,
  age: number | null = null
): ReadonlyArray<readonly [label: string, text: string]> => [
  [view.born, `${calendarDay(dateOfBirth)}${age === null ? "" : ` (${age})`}`],
  ...(patient?.died ? [[view.died, calendarDay(patient.died.slice(0, 10))] as const] : [])
]

/** The signed end is a day in UTC, and the release ends with it everywhere. */
const lastDayBefore = (endsAt: string) => new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10)
