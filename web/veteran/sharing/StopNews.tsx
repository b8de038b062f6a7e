import type { Sharing } from "../../../src/domain/Sharing.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import type { Stop, StopNews as News } from "./Stopping.ts"

/** Says what became of a stop. The live region exists before its words, so that they are read aloud. */
export const StopNews = ({ active, news }: {
  readonly active: ReadonlyArray<Sharing>
  readonly news: News | undefined
}) => (
  <>
    <div role="status">
      {news?.is === "stopped"
        ? (
          <Notice kind="success">
            <p>
              <Stopped stop={news.stop} active={active} />
            </p>
          </Notice>
        )
        : null}
    </div>
    {news?.is === "doubt"
      ? (
        <Notice kind="error" live>
          <p>We could not reach the service. What you share may not have changed.</p>
          <p>We keep asking. Stay on this page until it says that it stopped.</p>
        </Notice>
      )
      : null}
    {news?.is === "failed" ? <Trouble problem={news.problem} /> : null}
  </>
)

const Stopped = ({ active, stop: { all, items } }: {
  readonly active: ReadonlyArray<Sharing>
  readonly stop: Stop
}) => {
  const [item] = items
  if (all || item === undefined) return "Nobody can see your record."
  const name = <bdi>{item.who.name}</bdi>
  if (item.kind === "link") return <>The link for {name} no longer works.</>
  if (item.kind === "release") return <>The release for {name} has ended. Its links no longer work.</>
  // Somebody may have two shares, of which one is still there.
  const still = active.some(({ id, who }) =>
    id !== item.id && who.name === item.who.name && who.email === item.who.email
  )
  return still
    ? <>This share with {name} has ended. They still have another one.</>
    : <>{name} can no longer see your record.</>
}
