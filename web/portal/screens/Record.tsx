import { useEffect, useState, useSyncExternalStore } from "react"
import { grantLimits } from "../../../src/domain/ConsentGrant.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import type { Problem } from "../../shared/Problem.ts"
import { OpenRecord, prepareThread } from "../../shared/record/OpenRecord.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { problemWords } from "../../shared/Words.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../record/RecordWorker.ts?worker&url"
import { SharedRecord } from "../record/SharedRecord.tsx"
import { SharingWatch } from "../record/SharingWatch.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"
import "../../shared/record/glance/glance.css"
import "../../shared/record/items/items.css"
import "../../shared/record/print.css"

/** The record of a veteran, as long as they share it. */
export const Record = ({ veteranId }: { readonly veteranId: string }) => {
  const { call } = useSession()
  const [watch] = useState(() => new SharingWatch())
  const { isStale, sharing } = useSyncExternalStore(watch.subscribe, watch.current)
  useEffect(
    () =>
      watch.readWith(() =>
        call(({ patients }) =>
          patients.list({ query: { veteranId: veteranId as VeteranId, limit: grantLimits.perProvider } })
        )
      ),
    [call, veteranId, watch]
  )
  useEffect(() => watch.begin(), [watch])
  useEffect(() => prepareThread(recordWorker), [])
  return (
    <>
      <p className="screen-only">
        <a href={addressOf({ screen: "patients" })}>Back to all patients</a>
      </p>
      {sharing.is === "asking"
        ? <Opening />
        : sharing.is === "unknown"
        ? <NotOpened problem={sharing.problem} again={watch.ask} />
        : sharing.is === "ended"
        ? <Ended />
        : (
          <>
            {isStale ? <p role="status" className="card">Making sure that this is still shared with you</p> : null}
            <div hidden={isStale} className="record">
              <Opened
                key={sharing.grants}
                veteranId={veteranId}
                checkedAt={sharing.at}
                trouble={sharing.problem}
                onEnded={watch.end}
              />
            </div>
          </>
        )}
    </>
  )
}

const Opening = () => (
  <section className="card stack">
    <Heading>Record</Heading>
    <Loading>Opening the record</Loading>
  </section>
)

const NotOpened = ({ again, problem }: { readonly problem: Problem; readonly again: () => void }) => (
  <section className="card stack">
    <Heading>Record</Heading>
    <Trouble problem={problem} again={again} />
  </section>
)

/** Shown after the share ended. Nothing of the record is left on the page. */
const Ended = () => {
  const { text, title } = problemWords({ error: "consent_required" })
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{text}</p>
    </section>
  )
}

const Opened = ({ checkedAt, onEnded, trouble, veteranId }: {
  readonly veteranId: string
  readonly checkedAt: number
  readonly trouble: Problem | undefined
  readonly onEnded: () => void
}) => {
  const { authorization } = useSession()
  const [record, setRecord] = useState<OpenRecord>()
  useEffect(() => {
    const record = new OpenRecord(recordWorker, { ask: "open", veteranId, access: authorization() })
    setRecord(record)
    return () => {
      setRecord(undefined)
      record.close()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- a renewed session must not read the record again
  }, [veteranId])
  return record === undefined
    ? <Opening />
    : <SharedRecord record={record} veteranId={veteranId} checkedAt={checkedAt} trouble={trouble} onEnded={onEnded} />
}
