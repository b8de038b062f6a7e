import { useCallback, useEffect, useRef } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { usePages } from "../Pages.ts"
import { useSession } from "../session/Session.ts"
import { HolderName } from "./HolderName.tsx"
import { useLinkViews } from "./LinkViews.ts"
import { readsWords } from "./SharingWords.ts"
import { ViewedVia } from "./ViewedVia.tsx"
import { type SharingWords, useSharingWords } from "./Words.ts"

const limit = 20

/** What has ended, the newest first. It is read again whenever the list of active ones was: `changed` is its time. */
export const EndedSharing = ({ changed }: { readonly changed: Date }) => {
  const { call } = useSession()
  const pageOf = useCallback((cursor?: string) =>
    call(({ sharing }) =>
      sharing.list({
        params: { veteranId: "me" },
        query: { status: "ended", limit, ...(cursor === undefined ? {} : { cursor }) }
      })
    ), [call])
  const { ended } = useSharingWords()
  const { again, busy, hasMore, items, more, problem, refresh, state } = usePages(pageOf)
  const views = useLinkViews(items, changed)
  const seen = useRef(changed)
  useEffect(() => {
    if (seen.current !== changed) refresh()
    seen.current = changed
  }, [changed, refresh])
  if (state.is === "failed") return <Trouble problem={state.problem} again={again} />
  if (items.length === 0) return null
  return (
    <details>
      <summary>{(hasMore ? ended.more : ended.count)(items.length)}</summary>
      <div className="card stack">
        <ul className="rows">
          {items.map((sharing) => (
            <li key={sharing.id}>
              <div className="what">
                <strong>
                  <HolderName {...sharing} />
                </strong>
                <ViewedVia viewed={views.get(sharing.id)} />
                <p className="soft">{ended.from(readsWords(sharing.what), dayWords(sharing.since))}</p>
              </div>
              <span>{endWords(sharing, ended)}</span>
            </li>
          ))}
        </ul>
        <Trouble problem={problem} again={more} />
        {hasMore ? <Button kind="outline" busy={busy} onClick={more}>{ended.showMore}</Button> : null}
      </div>
    </details>
  )
}

const endWords = ({ ended, until }: Sharing, { on, why }: SharingWords["ended"]) =>
  ended !== null && ended !== "expired" ? why[ended] : until === null ? why.expired : on(dayWords(until))
