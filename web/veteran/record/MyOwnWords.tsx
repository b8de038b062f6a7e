import { numberWords } from "../../shared/language/Names.ts"
import { Clamped } from "../../shared/record/glance/Clamped.tsx"
import { ownDay } from "../../shared/record/glance/OwnDay.ts"
import type { SelfReported } from "../../shared/record/Messages.ts"
import { addressOf } from "../Route.ts"
import { useOwnWords } from "./Words.ts"

const few = 3

/** The newest of the veteran's own words, and the way to all of them. */
export const MyOwnWords = ({ entries }: { readonly entries: ReadonlyArray<SelfReported> }) => {
  const { own: words } = useOwnWords()
  return (
    <section className="card stack tight">
      <h2>{words.title}</h2>
      {entries.length === 0
        ? <p>{words.none}</p>
        : (
          <ul className="glance-list">
            {entries.slice(0, few).map((entry) => (
              <li key={entry.id}>
                <Clamped>{entry.text}</Clamped>
                <span className="about soft">{ownDay(entry)}</span>
              </li>
            ))}
          </ul>
        )}
      <a className="line-link" href={addressOf({ screen: "words" })}>
        {entries.length === 0 ? words.add : words.all(numberWords(entries.length))}
      </a>
    </section>
  )
}
