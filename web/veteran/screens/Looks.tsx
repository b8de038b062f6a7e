import { Effect } from "effect"
import { useCallback, useEffect, useMemo, useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { LookDays } from "../looks/LookDays.tsx"
import { filterOf, isOwnAct } from "../looks/LookFilter.ts"
import "../looks/looks.css"
import { SaveLooks } from "../looks/SaveLooks.tsx"
import { useLooksWords } from "../looks/Words.ts"
import { usePages } from "../Pages.ts"
import { addressOf, type Route } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { Choice } from "../share/Choice.tsx"
import "../share/share.css"
import { useActiveSharing } from "../sharing/ActiveSharing.ts"
import { HolderName } from "../sharing/HolderName.tsx"
import "../sharing/sharing.css"
import { StopDialog } from "../sharing/StopDialog.tsx"
import { StopNews } from "../sharing/StopNews.tsx"
import { useStopping } from "../sharing/Stopping.ts"

/** S13: who looked and when, by day, with the proof of each line. `by` narrows the list to one sharing. */
export const Looks = ({ by }: { readonly by: Extract<Route, { readonly screen: "looks" }>["by"] | undefined }) => {
  const { call, previousSessionAt } = useSession()
  const offline = useOffReason()
  const words = useLooksWords()
  const [isAll, setAll] = useState(false)
  const { id, kind } = by ?? {}
  const filter = useMemo(
    () => ({ ...isAll ? {} : { about: "looks" as const }, ...filterOf(kind, id) }),
    [isAll, kind, id]
  )
  const pageOf = useCallback((cursor?: string) =>
    Effect.map(
      call(({ disclosures }) =>
        disclosures.list({
          params: { veteranId: "me" },
          query: { ...filter, ...(cursor === undefined ? {} : { cursor }) }
        })
      ),
      (page) => typeof page === "string" ? { items: [], nextCursor: null } : page
    ), [call, filter])
  const { again, busy, hasMore, items, more, problem, refresh, state } = usePages(pageOf)
  const lines = isAll ? items : items.filter((line) => !isOwnAct(line))
  // A page may hold nothing but the veteran's own acts, or nothing of the one sharing.
  const isHollow = state.is === "done" && lines.length === 0 && hasMore && problem === undefined
  useEffect(() => {
    if (isHollow && !busy) more()
  })
  const reading = useActiveSharing()
  const active = reading.state.is === "done" ? reading.state.value : []
  const stopping = useStopping(reading)
  const only = active.find((sharing) => sharing.id === id)
  return (
    <>
      <Heading>{words.title}</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <StopNews active={active} news={stopping.news} />
      {filterOf(kind, id) === undefined ? null : (
        <p className="row">
          <span>
            {words.only} <strong>{only === undefined ? words.oneShare : <HolderName {...only} />}</strong>
          </span>
          <a href={addressOf({ screen: "looks" })}>{words.all}</a>
        </p>
      )}
      <Choice
        type="switch"
        label={words.everything}
        hint={words.everythingHint}
        checked={isAll}
        onChange={({ target }) => {
          setAll(target.checked)
          reading.refresh()
        }}
      />
      <Loading when={state.is === "pending" || isHollow} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? (
          <>
            {state.trouble === undefined ? null : <Trouble problem={state.trouble} again={refresh} />}
            {lines.length === 0 && !hasMore
              ? <p>{only === undefined ? words.none : words.noneSince(dayWords(only.since))}</p>
              : null}
            <LookDays
              lines={lines}
              active={active}
              now={state.at}
              since={previousSessionAt}
              off={({ id }) => stopping.doubted.some((one) => one.id === id) ? words.stopping : offline}
              onStop={(sharing) => stopping.ask([sharing])}
            />
            <Trouble problem={problem} again={more} />
            {hasMore ? <Button kind="outline" busy={busy} off={offline} onClick={more}>{words.more}</Button> : null}
            {lines.length > 0 ? <SaveLooks filter={filter} isOfAll={filterOf(kind, id) === undefined} /> : null}
          </>
        )
        : null}
      <StopDialog {...stopping} />
    </>
  )
}
