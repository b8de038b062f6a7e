import { FirstLines } from "../../ui/FirstLines.tsx"
import { Tag } from "../../ui/Tag.tsx"
import type { SelfReported } from "../Messages.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { Clamped } from "./Clamped.tsx"
import { ownDay } from "./OwnDay.ts"

/** What the patient wrote on the subject of a card. It stands above the card's list, so that nobody overlooks it. */
export const OwnEntries = ({ entries, isCut }: {
  readonly entries: ReadonlyArray<SelfReported>
  /** True if older entries were not sent. */
  readonly isCut: boolean
}) => {
  const { own } = useReaderWords()
  return (
    <div className="own">
      <p>
        <Tag>{own.tag}</Tag> <span className="soft small">{own.about}</span>
      </p>
      {isCut && own.cut !== null ? <p>{own.cut}</p> : null}
      <FirstLines of={entries} few={3} all={own.all(entries.length)}>
        {(entry) => (
          <>
            <Clamped>“{entry.text}”</Clamped>
            <span className="about soft">{ownDay(entry)}</span>
          </>
        )}
      </FirstLines>
    </div>
  )
}
