import { useEffect, useState } from "react"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { askAgain } from "../../shared/AskAgain.ts"
import { run } from "../../shared/Call.ts"
import { useSession } from "../session/Session.ts"

/** What was read leaves the screen within 30 s after the grant has ended; an answer may take its time. */
const asked = 15_000

/** Tells that the provider may no longer read the veteran's documents, though nothing be asked for. */
export const useDocumentsWithdrawn = (veteranId: string) => {
  const { call } = useSession()
  const [withdrawn, setWithdrawn] = useState(false)
  useEffect(() => {
    let stop = () => {}
    let until = Infinity
    const ask = () => {
      stop()
      // Without an answer, what was known is believed until its end.
      if (until <= Date.now()) setWithdrawn(true)
      const shared = call(({ patients }) => patients.list({ query: { veteranId: veteranId as VeteranId } }))
      stop = run(shared, (outcome) => {
        if (outcome.is === "failed") return
        const ends = outcome.value.items.flatMap(({ grant }) =>
          grant.includeDocuments ? [grant.expiresAt.getTime()] : []
        )
        until = Math.max(...ends)
        setWithdrawn(ends.length === 0)
      })
    }
    ask()
    const stopAsking = askAgain(ask, asked)
    return () => {
      stopAsking()
      stop()
    }
  }, [call, veteranId])
  return withdrawn
}
