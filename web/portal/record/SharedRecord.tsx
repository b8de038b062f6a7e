import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import type { Problem } from "../../shared/Problem.ts"
import { chartText } from "../../shared/record/ChartText.ts"
import { askingFor } from "../../shared/record/Deceased.ts"
import { clinicianWords } from "../../shared/record/glance/ClinicianWords.ts"
import { FirstGlance } from "../../shared/record/glance/FirstGlance.tsx"
import { Warnings } from "../../shared/record/glance/Warnings.tsx"
import { Items } from "../../shared/record/items/Items.tsx"
import { firstView, useItemsView } from "../../shared/record/items/ItemsView.ts"
import { ownItems } from "../../shared/record/items/OwnItems.ts"
import type { Note } from "../../shared/record/Messages.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { ReaderWordsContext } from "../../shared/record/ReaderWords.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { CopyForChart } from "./CopyForChart.tsx"
import { FromThePatient } from "./FromThePatient.tsx"
import { NoteField } from "./NoteField.tsx"
import { Notes } from "./Notes.tsx"
import { Opening } from "./Opening.tsx"
import { PatientBar } from "./PatientBar.tsx"
import { PrintedBy } from "./PrintedBy.tsx"
import { RecordSearch } from "./RecordSearch.tsx"
import { SaveRecord } from "./SaveRecord.tsx"
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
  const { goToItems, heading, setShown, showAll, showItem, shown } = useItemsView()
  const [written, setWritten] = useState<ReadonlyArray<Note>>([])
  const [older, setOlder] = useState<ReadonlyArray<Note>>([])
  const note = useRef<HTMLTextAreaElement>(null)
  const { about, failure, glance, loadedAt, progress } = state
  const asking = askingFor(glance?.patient ?? null)
  const { error, status } = failure ?? {}
  const own = useMemo(
    () =>
      about === undefined
        ? []
        : ownItems(
          { ...about, notes: [...written, ...about.notes, ...older] },
          (documentId) => addressOf({ screen: "document", veteranId, documentId })
        ),
    [about, older, veteranId, written]
  )
  useEffect(() => {
    if (error === "consent_required") onEnded()
    if (status === 401) end()
  }, [end, error, onEnded, status])

  const again = () => record.again(authorization())
  if (about === undefined) return <Opening problem={failure} again={again} />

  const sheetHead = (
    <PrintedBy about={about} patient={glance?.patient ?? null} name={provider.displayName} done={progress.done} />
  )
  return (
    <ReaderWordsContext value={clinicianWords}>
      <div className="sheets">
        {sheetHead}
        <PatientBar about={about} state={state} onNote={() => note.current?.focus()}>
          <RecordSearch
            query={shown.query}
            onQuery={(query) => setShown({ ...firstView, query })}
            onFind={goToItems}
          />
          <CopyForChart
            textOf={(at) => chartText(about, state, { at, reader: provider.displayName, site: location.host })}
          />
        </PatientBar>
        <StandsFrom at={new Date(Math.max(checkedAt, 0))} loadedAt={loadedAt} trouble={trouble} />
        <Warnings about={about} patient={glance?.patient ?? null} />
        {error === "record_too_large"
          ? (
            <Notice kind="warning" title="This record is larger than this page can hold">
              Not all of it is shown. Do not read a missing item as “none.”
            </Notice>
          )
          : failure === undefined || error === "consent_required" || status === 401
          ? null
          : <Trouble problem={failure} again={again} />}
        {progress.isNewUnknown && failure === undefined
          ? (
            <Notice kind="warning" live>
              What is new could not be loaded. No item is marked as new or changed.{" "}
              <Button
                kind="link"
                onClick={() => {
                  // The button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3).
                  goToItems()
                  again()
                }}
              >
                Try again
              </Button>
            </Notice>
          )
          : null}
        <FirstGlance about={about} state={state} own={about.selfReported} onAll={showAll} onItem={showItem} />
        <div className="beside stack">
          <FromThePatient entries={about.selfReported} />
          <SharedDocuments documents={about.documents} veteranId={veteranId} />
          <Notes
            notes={about.notes}
            written={written}
            older={older}
            setOlder={setOlder}
            veteranId={veteranId}
            onEnded={onEnded}
          />
        </div>
        <p className="soft">
          {asking(
            "What is not listed here is not in this record as shared. That is not the same as none. Ask the patient."
          )}
        </p>
      </div>
      <Items
        record={record}
        state={state}
        own={own}
        shown={shown}
        setShown={setShown}
        heading={heading}
        sheetHead={sheetHead}
      />
      <NoteField
        field={note}
        veteranId={veteranId}
        onEnded={onEnded}
        onSaved={(note) => setWritten((written) => [note, ...written])}
      />
      <SaveRecord about={about} record={record} isWhole={progress.done} veteranId={veteranId} onEnded={onEnded} />
    </ReaderWordsContext>
  )
}
