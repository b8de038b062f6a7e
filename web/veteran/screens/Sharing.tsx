import { useEffect } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import { useActiveSharing } from "../sharing/ActiveSharing.ts"
import { EndedSharing } from "../sharing/EndedSharing.tsx"
import "../sharing/sharing.css"
import { SharingCard } from "../sharing/SharingCard.tsx"
import { StopDialog } from "../sharing/StopDialog.tsx"
import { StopNews } from "../sharing/StopNews.tsx"
import { useStopping } from "../sharing/Stopping.ts"

/** How often the list is read again, in milliseconds. */
const pause = 60_000

/** S9: everybody who can read the record now, and the ways to stop them. */
export const Sharing = () => {
  const reading = useActiveSharing()
  const { again, refresh, state } = reading
  const stopping = useStopping(reading)
  const offline = useOffReason()
  useEffect(() => askAgain(refresh, pause), [refresh])
  const active = state.is === "done" ? state.value : []
  const isDoubted = (id: string) => stopping.doubted.some((one) => one.id === id)
  return (
    <>
      <Heading>Who has my record now</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <StopNews active={active} news={stopping.news} />
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? (
          <>
            {state.trouble === undefined || stopping.news?.is === "doubt"
              ? null
              : <Trouble problem={state.trouble} again={refresh} />}
            <p className="soft">{countWords(active.length)}</p>
            <ul className="cards">
              {active.map((sharing) => (
                <SharingCard
                  key={sharing.id}
                  sharing={sharing}
                  now={state.at}
                  off={isDoubted(sharing.id) ? "We are still trying to stop this." : offline}
                  onStop={() => stopping.ask([sharing])}
                />
              ))}
            </ul>
            <a className="usa-button" href={addressOf({ screen: "share" })}>Share with someone new</a>
            <EndedSharing changed={state.at} />
            {active.length > 0
              ? <Button kind="stop" off={offline} onClick={() => stopping.ask(active, true)}>Stop everything</Button>
              : null}
          </>
        )
        : null}
      <StopDialog {...stopping} />
    </>
  )
}

const countWords = (count: number) =>
  count === 0
    ? "Nobody can see your record."
    : count === 1
    ? "1 can see it. You can stop it here."
    : `${count} can see it. You can stop each one here.`
