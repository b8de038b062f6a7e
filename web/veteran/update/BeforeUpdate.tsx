import { useMemo } from "react"
import { isIncomplete } from "../../../src/domain/SyncState.ts"
import { useRead } from "../../shared/Call.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useDeletionOff } from "../account/DeletionNews.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { useSession } from "../session/Session.ts"
import { readBegin } from "./UpdateBegin.ts"
import { useUpdateWords } from "./Words.ts"

/** Leads to the VA before an update, or before the rest of one that did not finish. */
export const BeforeUpdate = () => {
  const { before: words } = useUpdateWords()
  const begin = readBegin()
  return (
    <>
      <Heading>{words.title}</Heading>
      <section className="card stack">
        {begin === null
          ? <p>{words.text}</p>
          : <Unfinished begin={begin} />}
        <ToVa off={useDeletionOff()}>{begin === null ? words.signIn : words.goOn}</ToVa>
      </section>
    </>
  )
}

const Unfinished = ({ begin }: { readonly begin: string }) => {
  const { call } = useSession()
  const { before, newKinds } = useUpdateWords()
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
      {before.unfinished} {stored === undefined ? "" : newKinds(stored)}
    </p>
  )
}
