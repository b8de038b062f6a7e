import { useState } from "react"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { warningsOf } from "../../shared/record/glance/Completeness.ts"
import type { About } from "../../shared/record/Messages.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useProviderSending } from "../session/ProviderSending.ts"

/**
 * Saves what the page holds: on paper or as a PDF by the browser, or as one FHIR file. The service tells the veteran of
 * the file before it is made. A print is told as the views that brought its items: the page cannot know of each print.
 */
export const SaveRecord = ({ about, isWhole, onEnded, record, veteranId }: {
  readonly about: About
  readonly record: OpenRecord
  /** True if every item has arrived. */
  readonly isWhole: boolean
  readonly veteranId: string
  readonly onEnded: () => void
}) => {
  const { authorization, busy, call, problem, send, setProblem } = useProviderSending()
  const [saved, setSaved] = useState("")
  const make = async () => {
    const at = new Date().toISOString()
    const warnings = warningsOf(about).map(({ names, text }) => `${names} ${text}`)
    // The name tells nothing of the patient: it stays in lists of downloads.
    const bundle = await record.bundle({ at, base: `${authorization().api}/api/fhir/R4`, warnings })
    saveFile(bundle, `health-record-${at.slice(0, 10)}.json`)
    setSaved("Saved. Keep the file as safe as the record.")
  }
  const save = () => {
    setSaved("")
    send(
      call(({ patients }) => patients.saved({ params: { veteranId: veteranId as VeteranId } })),
      () => void make(),
      (problem) => problem.error === "consent_required" ? onEnded() : setProblem(problem)
    )
  }
  return (
    <section className="card stack tight screen-only" aria-labelledby="save-heading">
      <h2 id="save-heading">Save a copy</h2>
      <p className="soft">
        A print or PDF has what this page shows. The FHIR file has the items of the record for other programs, without
        the patient’s own words, documents and notes. The patient is told that you saved a file.
      </p>
      <Trouble problem={problem} />
      <div className="actions">
        <Button kind="outline" onClick={() => print()}>Print or save as PDF</Button>
        <Button kind="outline" busy={busy} off={isWhole ? undefined : "Not all items are loaded."} onClick={save}>
          Save as FHIR file
        </Button>
        <span role="status">{saved}</span>
      </div>
    </section>
  )
}
