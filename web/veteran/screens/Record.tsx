import { useEffect, useMemo, useState } from "react"
import { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { ReaderWordsContext } from "../../shared/record/ReaderWords.ts"
import { OwnRecord } from "../record/OwnRecord.tsx"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../record/RecordWorker.ts?worker&url"
import { readerWords } from "../record/VeteranWords.tsx"
import { useOwnWords } from "../record/Words.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"
import "../../shared/record/glance/glance.css"
import "../../shared/record/items/items.css"

/** The veteran's record: what matters first, the list of each kind, and each item. Its thread ends with this screen. */
export const Record = () => {
  const { authorization } = useSession()
  const words = useOwnWords()
  const reader = useMemo(() => readerWords(words), [words])
  const [opening, setOpening] = useState(0)
  const [record, setRecord] = useState<OpenRecord>()
  useEffect(() => {
    const opened = new OpenRecord(recordWorker, { ask: "open", veteranId: "me", access: authorization() })
    setRecord(opened)
    return () => {
      setRecord(undefined)
      opened.close()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- a renewed session must not read the record again
  }, [opening])
  return record === undefined ? null : (
    <ReaderWordsContext value={reader}>
      <OwnRecord record={record} onOpenAgain={() => setOpening(opening + 1)} />
    </ReaderWordsContext>
  )
}
