import { useEffect, useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { releaseWords, useReleaseWords } from "./Words.ts"
import type { Place, Wrong } from "./Wrong.ts"

const labelOf = (place: Place) => {
  const { sign, until, who } = releaseWords()
  const labels: Readonly<Partial<Record<Place, string>>> = {
    fullName: who.fullName,
    name: who.name,
    organization: who.organization,
    position: who.position,
    reason: who.reason,
    event: until.what,
    typed: sign.typed
  }
  return labels[place] ?? ""
}

const wordsOf = ({ place, why }: Wrong) => {
  const { wrong } = releaseWords()
  return why === "long" ? wrong.long(labelOf(place)) : wrong[why ?? place]
}

/** There is one step at a time, and therefore one summary. */
const summaryId = "mend"

/** What must be mended in a step before it leads on. `first` is what the service refused. */
export const useMending = (first: ReadonlyArray<Wrong>) => {
  useReleaseWords()
  const [wrong, setWrong] = useState(first)
  const [tries, setTries] = useState(0)
  // The pressed button may be far below: without this, the press would seem to do nothing.
  useEffect(() => tries === 0 ? undefined : document.getElementById(summaryId)?.focus(), [tries])
  return {
    wrong,
    errorOf: (place: Place) => {
      const found = wrong.find((one) => one.place === place)
      return found === undefined ? undefined : wordsOf(found)
    },
    /** True if nothing must be mended. */
    check: (found: ReadonlyArray<Wrong>) => {
      setWrong(found)
      if (found.length > 0) setTries((before) => before + 1)
      return found.length === 0
    },
    clear: (...places: ReadonlyArray<Place>) =>
      setWrong((before) => before.filter(({ place }) => !places.includes(place)))
  }
}

/** The summary on top of a step. Each line leads to its part of the form (WCAG 3.3.1). */
export const Mend = ({ wrong }: { readonly wrong: ReadonlyArray<Wrong> }) => {
  const { mend } = useReleaseWords()
  return wrong.length === 0 ? null : (
    <div id={summaryId} tabIndex={-1}>
      <Notice kind="error" live title={mend(wrong.length)}>
        <ul>
          {wrong.map((one) => (
            <li key={one.place}>
              <Button
                kind="link"
                onClick={() => document.querySelector<HTMLElement>(`[data-place="${one.place}"]`)?.focus()}
              >
                {wordsOf(one)}
              </Button>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
