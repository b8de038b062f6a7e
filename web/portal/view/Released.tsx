import { useEffect, useState, useSyncExternalStore } from "react"
import type { Person } from "../../../src/clinical/Person.ts"
import { useSpoken } from "../../shared/language/Language.ts"
import { clinicianWords } from "../../shared/record/glance/ClinicianWords.ts"
import { FirstGlance } from "../../shared/record/glance/FirstGlance.tsx"
import { Warnings } from "../../shared/record/glance/Warnings.tsx"
import { Items } from "../../shared/record/items/Items.tsx"
import { useItemsView } from "../../shared/record/items/ItemsView.ts"
import { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { PatientLine } from "../../shared/record/PatientLine.tsx"
import { ReaderWordsContext } from "../../shared/record/ReaderWords.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../record/RecordWorker.ts?worker&url"
import { aboutOf } from "./Authorization.ts"
import type { ReleasedRecord } from "./OpenRelease.ts"
import { identityOf } from "./ReleasedPatient.tsx"
import { StandsFrom } from "./StandsFrom.tsx"
import { useViewWords } from "./ViewLanguage.ts"
import "../record/record.css"
import "../../shared/record/glance/glance.css"
import "../../shared/record/items/items.css"

interface PatientProperties {
  /** The record's Patient, null if there is none, and undefined until that is known. */
  readonly patient: Person | null | undefined
  readonly onPatient: (patient: Person | null) => void
}

/** The record that a release carries, in the portal's view. Its thread ends with this component. */
export const Released = ({ onPatient, patient, record: { authorization, bundle } }: PatientProperties & {
  readonly record: ReleasedRecord
}) => {
  const view = useViewWords()
  const [record, setRecord] = useState<OpenRecord>()
  const { veteran } = authorization
  useEffect(() => {
    const about = aboutOf(authorization)
    const opened = new OpenRecord(recordWorker, {
      ask: "released",
      bytes: bundle,
      about,
      veteran: authorization.veteran
    })
    setRecord(opened)
    return () => {
      setRecord(undefined)
      opened.close()
    }
  }, [authorization, bundle])
  return (
    <div className="record stack">
      <PatientLine name={veteran.fullName} facts={identityOf(view, veteran, patient)} />
      <StandsFrom authorization={authorization} patient={patient ?? null} />
      {record === undefined ? <Loading>{view.opening}</Loading> : <Reading record={record} onPatient={onPatient} />}
    </div>
  )
}

const Reading = ({ onPatient, record }: Pick<PatientProperties, "onPatient"> & { readonly record: OpenRecord }) => {
  const view = useViewWords()
  const { language } = useSpoken()
  const state = useSyncExternalStore(record.subscribe, record.current)
  const { heading, setShown, showAll, showItem, shown } = useItemsView()
  const { about, failure, glance, progress: { done } } = state
  const patient = glance?.patient ?? null
  useEffect(() => {
    if (done) onPatient(patient)
  }, [done, onPatient, patient])
  if (failure !== undefined) return <Notice kind="warning" live>{view.noRecord}</Notice>
  if (about === undefined) return <Loading>{view.opening}</Loading>
  return (
    <ReaderWordsContext value={clinicianWords}>
      {language === "en" ? null : <p className="soft">{view.asRecorded}</p>}
      <div className="record stack" lang="en-US">
        <Warnings about={about} patient={patient} />
        <FirstGlance about={about} state={state} onAll={showAll} onItem={showItem} />
        <Items record={record} state={state} shown={shown} setShown={setShown} heading={heading} />
      </div>
    </ReaderWordsContext>
  )
}
