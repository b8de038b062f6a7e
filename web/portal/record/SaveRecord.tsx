import { useState } from "react"
import { warningsOf } from "../../shared/record/glance/Completeness.ts"
import type { About } from "../../shared/record/Messages.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { useSession } from "../session/Session.ts"

/**
 * Saves what the page holds: on paper or as a PDF by the browser, or as one FHIR file. Nothing is requested from the
 * service, whose account of disclosures has the views that brought these items.
 */
export const SaveRecord = ({ about, isWhole, record }: {
  readonly about: About
  readonly record: OpenRecord
  /** True if every item has arrived. */
  readonly isWhole: boolean
}) => {
  const { authorization } = useSession()
  const [saved, setSaved] = useState("")
  const save = async () => {
    const at = new Date().toISOString()
    const warnings = warningsOf(about).map(({ names, text }) => `${names} ${text}`)
    // The name tells nothing of the patient: it stays in lists of downloads.
    const bundle = await record.bundle({ at, base: `${authorization().api}/api/fhir/R4`, warnings })
    saveFile(bundle, `health-record-${at.slice(0, 10)}.json`)
    setSaved("Saved. Keep the file as safe as the record.")
  }
  return (
    <section className="card stack tight screen-only" aria-labelledby="save-heading">
      <h2 id="save-heading">Save a copy</h2>
      <p className="soft">
        A print or PDF has what this page shows. The FHIR file has the items of the record for other programs, without
        the patient’s own words, documents and notes.
      </p>
      <div className="actions">
        <Button kind="outline" onClick={() => print()}>Print or save as PDF</Button>
        <Button kind="outline" off={isWhole ? undefined : "Not all items are loaded."} onClick={() => void save()}>
          Save as FHIR file
        </Button>
        <span role="status">{saved}</span>
      </div>
    </section>
  )
}
