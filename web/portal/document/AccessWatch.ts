import { useEffect, useState } from "react"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { runAgain } from "../../shared/AskAgain.ts"
import { type Share, sharesOf } from "../patients/Share.ts"
import { useSession } from "../session/Session.ts"

/**
 * Milliseconds between requests. A document leaves the screen within 30 s after its grant ends, including the time for
 * an answer.
 */
const askedEvery = 15_000

/**
 * Returns the patient who shares the documents. `withdrawn` is true as soon as the provider may no longer read them,
 * even if nothing is requested.
 */
export const useDocumentAccess = (veteranId: string) => {
  const { call } = useSession()
  const [withdrawn, setWithdrawn] = useState(false)
  const [patient, setPatient] = useState<Share>()
  useEffect(() => {
    let until = Infinity
    const ask = () => {
      // Without an answer, the last known grants hold until they end.
      if (until <= Date.now()) setWithdrawn(true)
      return call(({ patients }) => patients.list({ query: { veteranId: veteranId as VeteranId } }))
    }
    return runAgain(ask, (outcome) => {
      if (outcome.is === "failed") return
      const ends = outcome.value.items.flatMap(({ grant }) => grant.includeDocuments ? [grant.expiresAt.getTime()] : [])
      until = Math.max(...ends)
      setWithdrawn(ends.length === 0)
      setPatient(sharesOf(outcome.value.items)[0])
    }, askedEvery)
  }, [call, veteranId])
  return { withdrawn, patient }
}
