import { numberWords } from "../../shared/language/Names.ts"
import type { About } from "../../shared/record/Messages.ts"
import type { RecordState } from "../../shared/record/OpenRecord.ts"
import { useOwnWords } from "./Words.ts"

/** How much of the record has been read, until all of it is there: `1,200 of 20,292, still loading`. */
export const ReadingCount = ({ about, state: { failure, progress: { done, order } } }: {
  readonly about: About
  readonly state: RecordState
}) => {
  const words = useOwnWords()
  const all = about.sections.reduce((sum, { itemCount }) => sum + itemCount, 0)
  return (
    <p role="status" className="soft number">
      {done || failure !== undefined
        ? null
        : words.reading(numberWords(order.length), numberWords(all))}
    </p>
  )
}
