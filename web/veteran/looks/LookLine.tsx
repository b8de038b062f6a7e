import { useState } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import { wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import type { Sharing, SharingKind } from "../../../src/domain/Sharing.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { useEventWords } from "../events/Words.ts"
import { stopWords } from "../sharing/StopDialog.tsx"
import { ProofCheck } from "./ProofCheck.tsx"

/** One event. It opens to the kinds that were seen, the way to stop, and the proof. `off` is why no stop works now. */
export const LookLine = ({ isNew, line, off, onStop, sharing }: {
  readonly isNew: boolean
  readonly line: Disclosure
  readonly off: string | undefined
  readonly onStop: (sharing: Sharing) => void
  /** The sharing that allowed it, while it is active. */
  readonly sharing: Sharing | undefined
}) => {
  const events = useEventWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="card">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="soft number">{timeOf(line.at)}</span> {isNew ? <Tag>New</Tag> : null}
          <bdi className="look">{withoutDirections(events.summary(line))}</bdi>
          {sharing === undefined ? null : <span className="soft">{allowedWords(sharing)}</span>}
        </summary>
        {isOpen
          ? (
            <div className="stack">
              <Kinds line={line} />
              {sharing === undefined
                ? null
                : (
                  <div className="actions">
                    <Button
                      kind="stop"
                      off={off}
                      aria-label={`${stopWords[sharing.kind]}, ${sharing.who.name}`}
                      onClick={() => onStop(sharing)}
                    >
                      {stopWords[sharing.kind]}
                    </Button>
                  </div>
                )}
              <ProofCheck line={line} />
            </div>
          )
          : null}
      </details>
    </li>
  )
}

/** A summary has names in it, which other people chose. Such a name must not turn the words after it around. */
const withoutDirections = (text: string) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")

/** The time alone, because the day stands above. */
const timeOf = (at: Date) => timeWords(at, at)

const sharingNames: Readonly<Record<SharingKind, string>> = {
  provider: "share",
  app: "share",
  link: "link",
  release: "release"
}

const allowedWords = ({ kind, until }: Sharing) =>
  `Allowed by your ${sharingNames[kind]}${until === null ? "" : ` until ${dayWords(until)}`}`

const Kinds = ({ line: { resourceTypes = {} } }: { readonly line: Disclosure }) => {
  const kinds = Object.entries(resourceTypes)
  return kinds.length === 0
    ? <p className="soft">No kinds of your record were in it.</p>
    : <Facts of={kinds.map(([type, count]) => [wordsFor(type), count === 0 ? "None" : `${count}`] as const)} />
}
