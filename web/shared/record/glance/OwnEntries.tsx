import { useState } from "react"
import { usePrinting } from "../../Printing.ts"
import { Tag } from "../../ui/Tag.tsx"
import type { SelfReported } from "../Messages.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { Clamped } from "./Clamped.tsx"
import { ownDay } from "./OwnDay.ts"

const few = 3

/** What the patient wrote on the subject of a card. It stands above the card's list, so that nobody overlooks it. */
export const OwnEntries = ({ entries, isCut }: {
  readonly entries: ReadonlyArray<SelfReported>
  /** True if older entries were not sent. */
  readonly isCut: boolean
}) => {
  const { own } = useReaderWords()
  const [isWhole, setWhole] = useState(false)
  const printing = usePrinting() !== undefined
  return (
    <div className="own">
      <p>
        <Tag>{own.tag}</Tag> <span className="soft small">{own.about}</span>
      </p>
      {isCut && own.cut !== null ? <p>{own.cut}</p> : null}
      <ul className="glance-list">
        {entries.slice(0, isWhole || printing ? entries.length : few).map((entry) => (
          <li key={entry.id}>
            <Clamped>“{entry.text}”</Clamped>
            <span className="about soft">{ownDay(entry)}</span>
          </li>
        ))}
      </ul>
      {isWhole || entries.length <= few
        ? null
        : (
          <button type="button" className="link" onClick={() => setWhole(true)}>
            {own.all(entries.length)}
          </button>
        )}
    </div>
  )
}
