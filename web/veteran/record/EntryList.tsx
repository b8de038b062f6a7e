import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { ownDay } from "../../shared/record/glance/OwnDay.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { categories } from "./Entries.ts"
import { useOwnWords } from "./Words.ts"

/** The veteran's own words by kind, newest first. */
export const EntryList = ({ entries, off, onChange, onRemove }: {
  readonly entries: ReadonlyArray<Entry>
  /** True if nothing can be changed now. */
  readonly off: boolean
  readonly onChange: (entry: Entry) => void
  readonly onRemove: (entry: Entry) => void
}) => {
  const { own: words } = useOwnWords()
  return entries.length === 0
    ? <p className="card">{words.none}</p>
    : categories.map((category) => {
      const of = entries.filter((entry) => entry.category === category)
      return of.length === 0 ? null : (
        <section key={category} className="card stack tight">
          <h2>{words.categories[category][1]}</h2>
          <ul className="rows entries">
            {of.map((entry) => (
              <li key={entry.id}>
                <div>
                  <span className="written" dir="auto">{entry.text}</span> <span className="soft">{dayOf(entry)}</span>
                </div>
                <div className="actions">
                  <Button
                    kind="link"
                    busy={off}
                    onClick={() => onChange(entry)}
                    aria-label={words.changeOne(entry.text)}
                  >
                    {words.change}
                  </Button>
                  <Button
                    kind="link"
                    busy={off}
                    onClick={() => onRemove(entry)}
                    aria-label={words.removeOne(entry.text)}
                  >
                    {words.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )
    })
}

const dayOf = ({ createdAt, occurredOn }: Entry) => ownDay({ createdAt: createdAt.toISOString(), occurredOn })
