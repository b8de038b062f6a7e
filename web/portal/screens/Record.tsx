import { useEffect, useState } from "react"
import type { Problem } from "../../shared/Problem.ts"
import { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { prepareWorker } from "../../shared/TrustedTypes.ts"
import { NotShared } from "../patients/NotShared.tsx"
import { Opening } from "../record/Opening.tsx"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../record/RecordWorker.ts?worker&url"
import { SharedRecord } from "../record/SharedRecord.tsx"
import { useSharing } from "../record/SharingWatch.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"
import "../../shared/record/glance/glance.css"
import "../../shared/record/items/items.css"
import "../../shared/record/print.css"

/** The record of a veteran, as long as they share it. */
export const Record = ({ veteranId }: { readonly veteranId: string }) => {
  const { ask, end, isStale, sharing } = useSharing(veteranId)
  useEffect(() => prepareWorker(recordWorker), [])
  return (
    <>
      <p className="screen-only">
        <a href={addressOf({ screen: "patients" })}>Back to all patients</a>
      </p>
      {sharing.is === "asking"
        ? <Opening />
        : sharing.is === "unknown"
        ? <Opening problem={sharing.problem} again={ask} />
        : sharing.is === "ended"
        ? <NotShared />
        : (
          <>
            {isStale ? <p role="status" className="card">Making sure that this is still shared with you</p> : null}
            <div hidden={isStale} className="record stack">
              <Opened
                key={sharing.grants}
                veteranId={veteranId}
                checkedAt={sharing.at}
                trouble={sharing.problem}
                onEnded={end}
              />
            </div>
          </>
        )}
    </>
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
