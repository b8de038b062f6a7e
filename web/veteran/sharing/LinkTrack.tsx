import type { Sharing } from "../../../src/domain/Sharing.ts"
import { momentWords } from "../Moments.ts"

/** What became of a link, as a track. A reader of the words alone gets the same. */
export const LinkTrack = ({ now, steps }: { readonly now: Date; readonly steps: NonNullable<Sharing["steps"]> }) => {
  const track: ReadonlyArray<readonly [string, Date | null]> = [
    ["Mailed", steps.notifiedAt],
    ["Opened", steps.openedAt],
    ["Code sent", steps.codeSentAt],
    ["Read", steps.viewedAt]
  ]
  const latest = track.findLastIndex(([, at]) => at !== null)
  return (
    <ol className="steps track" aria-label="What became of the link">
      {track.map(([name, at], index) => (
        <li key={name} className={`${at === null ? "" : "done"} ${index === latest ? "latest" : ""}`}>
          {name}
          <span className="spoken">{at === null ? " (not yet)" : `, ${momentWords(at, now)}`}</span>
        </li>
      ))}
    </ol>
  )
}
