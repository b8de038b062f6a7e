import type { Sharing } from "../../../src/domain/Sharing.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { Done } from "../account/Done.tsx"
import { Named } from "./Named.tsx"
import type { StopNews as News, StopRequest } from "./Stopping.ts"
import { useSharingWords } from "./Words.ts"

/** Says what became of a stop. The live region exists before its words, so that they are read aloud. */
export const StopNews = ({ active, news }: {
  readonly active: ReadonlyArray<Sharing>
  readonly news: News | undefined
}) => {
  const words = useSharingWords()
  return (
    <>
      <Done>{news?.is === "stopped" ? <Stopped stop={news.stop} active={active} /> : undefined}</Done>
      {news?.is === "doubt"
        ? (
          <Notice kind="error" live>
            <p>{words.news.doubt}</p>
            <p>{words.news.asking}</p>
          </Notice>
        )
        : null}
      {news?.is === "failed" ? <Trouble problem={news.problem} /> : null}
    </>
  )
}

const Stopped = ({ active, stop: { all, items } }: {
  readonly active: ReadonlyArray<Sharing>
  readonly stop: StopRequest
}) => {
  const { news, nobody } = useSharingWords()
  const [item] = items
  if (all || item === undefined) return nobody
  // Somebody may have two shares, of which one is still there.
  const still = item.kind !== "link" && item.kind !== "release" &&
    active.some(({ id, who }) => id !== item.id && who.name === item.who.name && who.email === item.who.email)
  return <Named of={still ? news.stillAnother : news.stopped[item.kind]} name={item.who.name} />
}
