import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords } from "../../shared/Dates.ts"
import { allowedBy } from "./LookFilter.ts"
import { LookLine } from "./LookLine.tsx"
import { useLooksWords } from "./Words.ts"

/** The events by day, the newest first. A rule stands between those since the last sign-in and those before it. */
export const LookDays = ({ active, lines, now, off, onStop, since }: {
  readonly active: ReadonlyArray<Sharing>
  readonly lines: ReadonlyArray<Disclosure>
  readonly now: Date
  readonly off: (sharing: Sharing) => string | undefined
  readonly onStop: (sharing: Sharing) => void
  /** The last sign-in before this one, or null if there was none. */
  readonly since: Date | null
}) => {
  const words = useLooksWords()
  const fresh = since === null ? [] : lines.filter(({ at }) => at > since)
  const older = lines.slice(fresh.length)
  const days = (of: ReadonlyArray<Disclosure>, isNew: boolean) =>
    byDay(of).map(([day, lines]) => (
      <section key={day} className="stack">
        <h2>{day === dayWords(now) ? words.today : day}</h2>
        <ul className="cards">
          {lines.map((line) => {
            const sharing = allowedBy(line, active)
            return (
              <LookLine
                key={line.id}
                line={line}
                isNew={isNew}
                sharing={sharing}
                off={sharing === undefined ? undefined : off(sharing)}
                onStop={onStop}
              />
            )
          })}
        </ul>
      </section>
    ))
  return (
    <>
      {since === null || fresh.length === 0 ? null : <p className="rule">{words.newSince(dayWords(since))}</p>}
      {days(fresh, true)}
      {fresh.length === 0 || older.length === 0 ? null : <p className="rule">{words.before}</p>}
      {days(older, false)}
    </>
  )
}

const byDay = (lines: ReadonlyArray<Disclosure>) =>
  [...Map.groupBy(lines, ({ at }) => dayWords(at))] as ReadonlyArray<readonly [string, ReadonlyArray<Disclosure>]>
