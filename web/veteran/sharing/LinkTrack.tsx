import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { stepsOf } from "./LinkSteps.ts"
import { useSharingWords } from "./Words.ts"

/** What became of a link, as a track with a time at each step. A reader of the words alone gets the same. */
export const LinkTrack = ({ now, steps }: { readonly now: Date; readonly steps: NonNullable<Sharing["steps"]> }) => {
  const { track } = useSharingWords()
  const all = stepsOf(steps)
  const latest = all.findLastIndex(({ at }) => at !== null)
  return (
    <>
      <ol className="steps track" aria-label={track.name}>
        {all.map(({ at, step }, index) => (
          <li key={step} className={`${at === null ? "" : "done"} ${index === latest ? "latest" : ""}`}>
            {track.steps[step]}
            {at === null
              ? <span className="spoken">{track.notYet}</span>
              : (
                <>
                  <span className="spoken">,{" "}</span>
                  <span className="when">{shortWords(at, now)}</span>
                </>
              )}
          </li>
        ))}
      </ol>
      {steps.viewedAt === null ? null : <p className="soft small">{track.again}</p>}
    </>
  )
}

/** A time today, else the day, because a step has little room. */
const shortWords = (at: Date, now: Date) => dayWords(at) === dayWords(now) ? timeWords(at, now) : dayWords(at)
