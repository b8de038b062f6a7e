import { useState } from "react"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import { isMeasured } from "../../shared/record/Figures.ts"
import { Flags } from "../../shared/record/items/Flags.tsx"
import { unitsInWords } from "../../shared/record/items/Units.ts"
import { WholeNumbers } from "../../shared/record/items/WholeNumbers.tsx"
import type { Line } from "../../shared/record/Messages.ts"
import { termWords, useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { addressOf } from "../Route.ts"
import { kindName } from "./KindNames.ts"
import { useOwnWords } from "./Words.ts"

/** Rows that are added by a press. More at once would make a phone slow. */
const some = 100

/** Items by year, newest first. */
export const YearList = ({ hasKinds, lines }: {
  readonly lines: ReadonlyArray<Line>
  /** True if the lines are of several kinds. */
  readonly hasKinds: boolean
}) => {
  const { list: words } = useOwnWords()
  const [shown, setShown] = useState(some)
  const more = Math.min(some, lines.length - shown)
  const years = Map.groupBy(lines.slice(0, shown), ({ date }) => date === "" ? words.noDate : date.slice(0, 4))
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
        ? <Button kind="outline" onClick={() => setShown(shown + some)}>{words.more(more)}</Button>
        : null}
    </div>
  )
}

const YearRow = ({ hasKind, line: { date, flags, id, kind, status, title, value } }: {
  readonly line: Line
  readonly hasKind: boolean
}) => {
  const { noDate, ofSource } = useRecordWords()
  return (
    <li>
      <a className="item-link" href={addressOf({ screen: "record", item: id! })}>
        {flags.includes("Entered in error")
          ? <s dir="auto" lang={ofSource}>{title}</s>
          : <bdi lang={ofSource}>{title}</bdi>}
      </a>
      <Flags of={flags} />
      {value === null ?
        null :
        (
          <span className="about number clamp" dir="auto" lang={isMeasured(value) ? undefined : ofSource}>
            <WholeNumbers of={unitsInWords(value)} />
          </span>
        )}
      <span className="about soft">
        {[date === "" ? noDate : recordedDay(date.slice(0, 10)), status === null ? null : termWords(status),
          hasKind ? kindName(kind) : null]
          .filter((part) => part !== null).join(" · ")}
      </span>
    </li>
  )
}
