import { Clamped } from "../../shared/record/glance/Clamped.tsx"
import { ownDay } from "../../shared/record/glance/OwnDay.ts"
import type { SelfReported } from "../../shared/record/Messages.ts"
import { addressOf } from "../Route.ts"

const few = 3

/** The newest of the veteran's own words, and the way to all of them. */
export const MyOwnWords = ({ entries }: { readonly entries: ReadonlyArray<SelfReported> }) => (
  <section className="card stack tight">
    <h2>My own words</h2>
    {entries.length === 0
      ? <p>Nothing here yet. Medicines from other doctors belong here.</p>
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
      {entries.length === 0 ? "Add my own words" : `See, add and change all ${entries.length.toLocaleString("en-US")}`}
    </a>
  </section>
)
