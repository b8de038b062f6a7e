import type { Person } from "../../../src/clinical/Person.ts"
import { dayWords } from "../../shared/Dates.ts"
import { askingFor } from "../../shared/record/Deceased.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import type { Authorization } from "./Authorization.ts"
import { calendarDay } from "./CalendarDay.ts"
import { useViewWords } from "./ViewLanguage.ts"

/** What the record can tell and what not: its day, its range of dates, and that a gap in it is not "none". */
export const StandsFrom = ({ authorization: { information: { dateFrom, dateTo, documents }, signedAt }, patient }: {
  readonly authorization: Authorization
  readonly patient: Person | null
}) => {
  const view = useViewWords()
  const [from, to] = [dateFrom, dateTo].map((day) => day === null ? null : calendarDay(day))
  return (
    <Notice kind="info">
      <p>{view.standsFrom(dayWords(new Date(signedAt)))}</p>
      {from && to
        ? <p>{view.range(from, to)}</p>
        : from
        ? <p>{view.rangeFrom(from)}</p>
        : to
        ? <p>{view.rangeTo(to)}</p>
        : null}
      <p>{askingFor(patient)(view.notListed)}</p>
      {documents.length === 0 ? null : (
        <p>
          {view.attached(documents.length)} <bdi>{documents.map(({ title }) => title).join(", ")}</bdi>.{" "}
          {view.saveAbove(documents.length)}
        </p>
      )}
    </Notice>
  )
}
