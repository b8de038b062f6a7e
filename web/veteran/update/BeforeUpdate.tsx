import { isIncomplete } from "../../../src/domain/SyncState.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useDeletionOff } from "../account/DeletionNews.ts"
import type { Client } from "../AppClient.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { me, useOwnRead } from "../session/Own.ts"
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

const readManifest = ({ healthRecord }: Client) => healthRecord.manifest({ params: me })

const Unfinished = ({ begin }: { readonly begin: string }) => {
  const { before, newKinds } = useUpdateWords()
  const { state } = useOwnRead(readManifest)
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
