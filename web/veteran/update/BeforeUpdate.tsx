import { useMemo } from "react"
import { isIncomplete } from "../../../src/domain/SyncState.ts"
import { useRead } from "../../shared/Call.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { ToVa } from "../connect/ToVa.tsx"
import { useSession } from "../session/Session.ts"
import { readBegin } from "./UpdateBegin.ts"
import { newWords } from "./UpdateWords.ts"

/** Leads to the VA before an update, or before the rest of one that did not finish. */
export const BeforeUpdate = () => {
  const begin = readBegin()
  return (
    <>
      <Heading>Update your record</Heading>
      <section className="card stack">
        {begin === null
          ? <p>You sign in at VA first. Then the update starts here.</p>
          : <Unfinished begin={begin} />}
        <ToVa>{begin === null ? "Sign in at VA" : "Go on"}</ToVa>
      </section>
    </>
  )
}

const Unfinished = ({ begin }: { readonly begin: string }) => {
  const { call } = useSession()
  const manifest = useMemo(
    () => call((client) => client.healthRecord.manifest({ params: { veteranId: "me" } })),
    [call]
  )
  const { state } = useRead(manifest)
  const stored = state.is === "done"
    ? Object.values(state.value).filter(({ lastFetch, lastFetchAt }) =>
      !isIncomplete(lastFetch) && lastFetchAt.getTime() >= Date.parse(begin)
    ).length
    : undefined
  return (
    <p role="status">
      Your last update did not finish. {stored === undefined ? "" : newWords(stored)}
    </p>
  )
}
