import { useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { ageOn } from "../../shared/record/ClinicalDays.ts"
import { Facts } from "../../shared/ui/Facts.tsx"
import type { Authorization } from "./Authorization.ts"
import { calendarDay } from "./CalendarDay.ts"
import { useViewWords } from "./ViewLanguage.ts"

/** Whose record it is, by the signed authorization: name and birth date, above the record and the document. */
export const ReleasedPatient = ({ authorization: { endsAt, signedAt, veteran } }: {
  readonly authorization: Authorization
}) => {
  const view = useViewWords()
  const [age] = useState(() => ageOn(veteran.dateOfBirth, new Date()))
  return (
    <section className="card patient-bar" aria-label={view.patient}>
      <h1>
        <bdi>{veteran.fullName}</bdi>
      </h1>
      <Facts
        of={[
          [view.born, `${calendarDay(veteran.dateOfBirth)}${age === null ? "" : ` (${age})`}`],
          [view.signed, dayWords(new Date(signedAt))],
          // The release ends at the start of this day.
          [view.until, dayWords(new Date(Date.parse(endsAt) - 1))]
        ]}
      />
    </section>
  )
}
