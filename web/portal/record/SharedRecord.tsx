import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react"
import type { Problem } from "../../shared/Problem.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { warningsOf } from "../glance/Completeness.ts"
import { FirstGlance } from "../glance/FirstGlance.tsx"
import { PatientBar } from "../glance/PatientBar.tsx"
import { Items } from "../items/Items.tsx"
import { firstView, type ItemsView } from "../items/ItemsView.ts"
import type { KindFilter } from "../items/Kinds.ts"
import { useSession } from "../session/Session.ts"
import { FromThePatient } from "./FromThePatient.tsx"
import { Notes } from "./Notes.tsx"
import { PrintedBy } from "./PrintedBy.tsx"
import { SharedDocuments } from "./SharedDocuments.tsx"
import { StandsFrom } from "./StandsFrom.tsx"

/**
 * The record's page: the patient, what is not up to date, the first glance, the patient's own words, notes, and all
 * items.
 */
export const SharedRecord = ({ checkedAt, onEnded, record, trouble, veteranId }: {
  readonly record: OpenRecord
  readonly veteranId: string
  /** When the service last confirmed the share. */
  readonly checkedAt: number
  /** Why the latest request failed, undefined if it did not. */
  readonly trouble: Problem | undefined
  readonly onEnded: () => void
}) => {
  const { authorization, end, provider } = useSession()
  const state = useSyncExternalStore(record.subscribe, record.current)
  const [shown, setShown] = useState<ItemsView>(firstView)
  const note = useRef<HTMLTextAreaElement>(null)
  const items = useRef<HTMLHeadingElement>(null)
  const { about, failure, glance, loadedAt, progress } = state
  const { error, status } = failure ?? {}
  useEffect(() => {
    if (error === "consent_required") onEnded()
    if (status === 401) end()
  }, [end, error, onEnded, status])

  const showAll = useCallback((kind: KindFilter) => {
    setShown({ ...firstView, kind })
    items.current?.focus()
    items.current?.scrollIntoView()
  }, [])
  const showItem = useCallback((open: number) => {
    const opener = document.activeElement
    setShown({ kind: "all", query: "", open, opener: opener instanceof HTMLElement ? opener : undefined })
  }, [])
  const focusNote = useCallback(() => note.current?.focus(), [])

  const again = () => record.again(authorization())
  if (about === undefined) {
    return (
      <section className="card stack">
        <Heading>Record</Heading>
        {failure === undefined
          ? <Loading>Opening the record</Loading>
          : <Trouble problem={failure} again={again} />}
      </section>
    )
  }

  const warnings = warningsOf(about)
  return (
    <>
      <PatientBar
        about={about}
        patient={glance?.patient ?? null}
        onNote={focusNote}
      />
      <StandsFrom at={new Date(Math.max(checkedAt, 0))} loadedAt={loadedAt} trouble={trouble} />
      {warnings.length === 0 ? null : (
        <Notice kind="warning" title="Parts of this record are not up to date">
          <ul className="warnings">
            {warnings.map(({ names, text }) => (
              <li key={text}>
                <b>{names}</b> {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {error === "record_too_large"
        ? (
          <Notice kind="warning" title="This record is larger than this page can hold">
            Not all of it is shown. Do not read a missing item as “none.”
          </Notice>
        )
        : failure === undefined || error === "consent_required" || status === 401
        ? null
        : <Trouble problem={failure} again={again} />}
      <FirstGlance about={about} state={state} onAll={showAll} onItem={showItem} />
      <div className="beside">
        <FromThePatient entries={about.selfReported} />
        <SharedDocuments documents={about.documents} veteranId={veteranId} />
        <Notes notes={about.notes} veteranId={veteranId} field={note} onEnded={onEnded} />
      </div>
      <Items record={record} state={state} shown={shown} setShown={setShown} heading={items} />
      <PrintedBy name={provider.displayName} expiresAt={about.expiresAt} done={progress.done} />
    </>
  )
}
