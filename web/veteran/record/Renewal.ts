import { useEffect, useRef, useState } from "react"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import type { OpenRecord, RecordState } from "../../shared/record/OpenRecord.ts"
import { useSession } from "../session/Session.ts"

/**
 * Renews the session when the service refused a page of the record, and lets the thread continue. A second refusal
 * locks the app. Returns why the reading stopped, if the reader should know.
 */
export const useRenewal = (record: OpenRecord, { failure }: RecordState) => {
  const { authorization, lock, renewed } = useSession()
  const [trouble, setTrouble] = useState<Problem>()
  const hasRenewed = useRef(false)
  const isRefused = failure?.status === 401
  useEffect(() => {
    if (!isRefused) return
    if (hasRenewed.current) return lock()
    hasRenewed.current = true
    return run(renewed, (outcome) => {
      if (outcome.is === "done") record.again(authorization())
      else setTrouble(outcome.problem)
    })
    // oxlint-disable-next-line react/exhaustive-deps -- a renewed session must not be renewed again
  }, [isRefused, record])
  const again = () => {
    setTrouble(undefined)
    hasRenewed.current = false
    record.again(authorization())
  }
  return { again, failure: isRefused ? trouble : failure }
}
