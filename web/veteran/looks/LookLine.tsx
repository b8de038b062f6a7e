import { useState } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { useSpoken } from "../../shared/language/Language.ts"
import { numberWords, typeWords } from "../../shared/language/Names.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { lastBefore } from "../Moments.ts"
import { stopWords } from "../sharing/StopDialog.tsx"
import { ProofCheck } from "./ProofCheck.tsx"
import { useLooksWords } from "./Words.ts"

/** One event. It opens to the kinds that were seen, the way to stop, and the proof. `off` is why no stop works now. */
export const LookLine = ({ isNew, line, off, onStop, sharing }: {
  readonly isNew: boolean
  readonly line: Disclosure
  readonly off: string | undefined
  readonly onStop: (sharing: Sharing) => void
  /** The sharing that allowed it, while it is active. */
  readonly sharing: Sharing | undefined
}) => {
  const words = useLooksWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="card">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="soft number">{timeOf(line.at)}</span> {isNew ? <Tag>{words.isNew}</Tag> : null}
          <Sentence line={line} />
          {sharing === undefined
            ? null
            : (
              <span className="soft">
                {words.allowed[sharing.kind](sharing.until === null ? undefined : dayWords(lastBefore(sharing.until)))}
              </span>
            )}
        </summary>
        {isOpen
          ? (
            <div className="stack">
              <Kinds line={line} />
              {sharing === undefined
                ? null
                : (
                  <Action
                    kind="stop"
                    off={off}
                    aria-label={`${stopWords(sharing.kind)}, ${sharing.who.name}`}
                    onClick={() => onStop(sharing)}
                  >
                    {stopWords(sharing.kind)}
                  </Action>
                )}
              <ProofCheck line={line} />
            </div>
          )
          : null}
      </details>
    </li>
  )
}

/** What happened. A sentence that the page's language lacks stays the service's English one (WCAG 3.1.2). */
const Sentence = ({ line }: { readonly line: Disclosure }) => {
  const { language } = useSpoken()
  const english = withoutDirections(line.summary)
  const own = useLooksWords().summary({ ...line, summary: english })
  return (
    <bdi className="look" {...(own === undefined && language !== "en" ? { lang: "en" } : {})}>{own ?? english}</bdi>
  )
}

/** A summary has names in it, which other people chose. Such a name must not turn the words after it around. */
const withoutDirections = (text: string) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")

/** The time alone, because the day stands above. */
const timeOf = (at: Date) => timeWords(at, at)

const Kinds = ({ line: { resourceTypes = {} } }: { readonly line: Disclosure }) => {
  const words = useLooksWords()
  const kinds = Object.entries(resourceTypes)
  return kinds.length === 0
    ? <p className="soft">{words.noKinds}</p>
    : (
      <Facts
        of={kinds.map(([type, count]) => [typeWords(type), count === 0 ? words.noItems : numberWords(count)] as const)}
      />
    )
}
