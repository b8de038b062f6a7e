import { memo } from "react"
import { ownDay } from "../../shared/record/glance/OwnDay.ts"
import { cutWords, sentEntries } from "../../shared/record/glance/SentEntries.ts"
import type { SelfReported } from "../../shared/record/Messages.ts"
import { FirstLines } from "../../shared/ui/FirstLines.tsx"

/** What the patient wrote in their own words. */
export const FromThePatient = memo(({ entries }: { readonly entries: ReadonlyArray<SelfReported> }) =>
  entries.length === 0 ? null : (
    <section className="card stack tight">
      <h2>From the patient</h2>
      <p className="soft">In their own words. Not checked by a clinician.</p>
      {entries.length < sentEntries ? null : <p>{cutWords}</p>}
      <FirstLines of={entries} few={5} all={`Show all ${entries.length}`}>
        {(entry) => (
          <>
            <span className="written" dir="auto">{entry.text}</span>
            <span className="about soft">
              {entry.category}, {ownDay(entry)}
            </span>
          </>
        )}
      </FirstLines>
    </section>
  )
)
