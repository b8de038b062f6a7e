import { useEffect, useState } from "react"
import { listen } from "../../shared/Listen.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { NewLink } from "../account/NewLink.tsx"
import { useActiveSharing } from "../sharing/ActiveSharing.ts"
import { EndedSharing } from "../sharing/EndedSharing.tsx"
import { useFreshSharing } from "../sharing/FreshSharing.ts"
import { useLinkViews } from "../sharing/LinkViews.ts"
import "../sharing/sharing.css"
import { SharingCard } from "../sharing/SharingCard.tsx"
import { hasRelease, ShownRelease } from "../sharing/ShownRelease.tsx"
import { StopDialog } from "../sharing/StopDialog.tsx"
import { StopNews } from "../sharing/StopNews.tsx"
import { useStopping } from "../sharing/Stopping.ts"
import { TrackNews } from "../sharing/TrackNews.tsx"
import { useSharingWords } from "../sharing/Words.ts"

/**
 * The card whose release is shown. Its entry in the browser's history lets Back return to the list. The id stays in
 * memory, because a browser may store the entry.
 */
const useShown = () => {
  const [id, setId] = useState<string>()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const moved = ({ state }: PopStateEvent) => setShown(Object(state).shown === true)
    return listen({ popstate: moved })
  }, [])
  const show = (of: string) => {
    history.pushState({ shown: true }, "")
    setId(of)
    setShown(true)
  }
  return { shown: isShown ? id : undefined, show }
}

/** S9: everybody who can read the record now, and the ways to stop them. */
export const Sharing = () => {
  const words = useSharingWords()
  const reading = useActiveSharing()
  const { refresh, state } = reading
  const stopping = useStopping(reading)
  const offline = useOffReason()
  const { show, shown } = useShown()
  useFreshSharing(reading)
  const active = state.is === "done" ? state.value : []
  const views = useLinkViews(active, state.is === "done" ? state.at : undefined)
  const isDoubted = (id: string) => stopping.doubted.some((one) => one.id === id)
  const open = active.find(({ id }) => id === shown)
  if (open !== undefined && hasRelease(open)) return <ShownRelease of={open} onBack={() => history.back()} />
  return (
    <>
      <Heading>{words.title}</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <StopNews active={active} news={stopping.news} />
      <Reading of={reading} refresh={stopping.news?.is === "doubt" ? undefined : refresh}>
        {(_, now) => (
          <>
            <p className="soft">{active.length === 0 ? words.nobody : words.count(active.length)}</p>
            <TrackNews active={active} />
            <ul className="cards">
              {active.map((sharing) => (
                <SharingCard
                  key={sharing.id}
                  sharing={sharing}
                  viewed={views.get(sharing.id)}
                  now={now}
                  off={isDoubted(sharing.id) ? words.stillTrying : offline}
                  onShow={() => show(sharing.id)}
                  onStop={() => stopping.ask([sharing])}
                />
              ))}
            </ul>
            <NewLink to={{ screen: "share" }}>{words.shareNew}</NewLink>
            <NewLink kind="outline" to={{ screen: "release" }}>{words.signRelease}</NewLink>
            <EndedSharing changed={now} />
            {active.length > 0
              ? (
                <Button kind="stop" off={offline} onClick={() => stopping.ask(active, true)}>
                  {words.stopEverything}
                </Button>
              )
              : null}
          </>
        )}
      </Reading>
      <StopDialog {...stopping} />
    </>
  )
}
