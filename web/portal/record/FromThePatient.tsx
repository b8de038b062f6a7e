import { memo, useState } from "react"
import { usePrinting } from "../../shared/Printing.ts"
import { ownDay } from "../../shared/record/glance/OwnDay.ts"
import { cutWords, sentEntries } from "../../shared/record/glance/SentEntries.ts"
import type { SelfReported } from "../../shared/record/Messages.ts"

const few = 5

/** What the patient wrote in their own words. */
export const FromThePatient = memo(({ entries }: { readonly entries: ReadonlyArray<SelfReported> }) => {
  const [isAsked, setWhole] = useState(false)
  const isPrinted = usePrinting() !== undefined
  const isWhole = isAsked || isPrinted
  if (entries.length === 0) return null
  return (
    <section className="card stack tight">
      <h2>From the patient</h2>
      <p className="soft">In their own words. Not checked by a clinician.</p>
      {entries.length < sentEntries ? null : <p>{cutWords}</p>}
      <ul className="glance-list">
        {entries.slice(0, isWhole ? entries.length : few).map((entry) => (
          <li key={entry.id}>
            <span className="written" dir="auto">{entry.text}</span>
            <span className="about soft">
              {entry.category}, {ownDay(entry)}
            </span>
          </li>
        ))}
      </ul>
      {isWhole || entries.length <= few ?
        null :
        <button type="button" className="link" onClick={() => setWhole(true)}>Show all {entries.length}</button>}
    </section>
  )
})
