import { useState } from "react"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import { Flags } from "../../shared/record/items/Flags.tsx"
import { unitsInWords } from "../../shared/record/items/Units.ts"
import { WholeNumbers } from "../../shared/record/items/WholeNumbers.tsx"
import type { Line } from "../../shared/record/Messages.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { addressOf } from "../Route.ts"
import { kindName } from "./KindNames.ts"

/** Rows that are added by a press. More at once would make a phone slow. */
const some = 100

/** Items by year, newest first. */
export const YearList = ({ hasKinds, lines }: {
  readonly lines: ReadonlyArray<Line>
  /** True if the lines are of several kinds. */
  readonly hasKinds: boolean
}) => {
  const [shown, setShown] = useState(some)
  const more = Math.min(some, lines.length - shown)
  const years = Map.groupBy(lines.slice(0, shown), ({ date }) => date === "" ? "No date" : date.slice(0, 4))
  return (
    <div className="years stack">
      {[...years].map(([year, of]) => (
        <section key={year}>
          <h2 className="year number">{year}</h2>
          <ul className="glance-list">
            {of.map((line) => <YearRow key={line.key} line={line} hasKind={hasKinds} />)}
          </ul>
        </section>
      ))}
      {more > 0
        ? <Button kind="outline" onClick={() => setShown(shown + some)}>Show {more} more</Button>
        : null}
    </div>
  )
}

const YearRow = ({ hasKind, line: { date, flags, id, kind, status, title, value } }: {
  readonly line: Line
  readonly hasKind: boolean
}) => (
  <li>
    <a className="item-link" href={addressOf({ screen: "record", item: id! })}>
      {flags.includes("Entered in error") ? <s dir="auto">{title}</s> : <bdi>{title}</bdi>}
    </a>
    <Flags of={flags} />
    {value === null ? null : (
      <span className="about number clamp" dir="auto">
        <WholeNumbers of={unitsInWords(value)} />
      </span>
    )}
    <span className="about soft">
      {[date === "" ? "No date" : recordedDay(date.slice(0, 10)), status, hasKind ? kindName(kind) : null]
        .filter((part) => part !== null).join(" · ")}
    </span>
  </li>
)
