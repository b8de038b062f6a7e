import { dayWords } from "../../shared/Dates.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import type { Authorization } from "./Authorization.ts"
import { calendarDay } from "./CalendarDay.ts"
import { useViewWords } from "./ViewLanguage.ts"

/** What the record can tell and what not: its day, its range of dates, and that a gap in it is not "none". */
export const StandsFrom = ({ authorization: { information: { dateFrom, dateTo }, signedAt } }: {
  readonly authorization: Authorization
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
      <p>{view.notListed}</p>
    </Notice>
  )
}
