import type { About } from "../../shared/record/Messages.ts"
import type { RecordState } from "../../shared/record/OpenRecord.ts"

/** How much of the record has been read, until all of it is there: `1,200 of 20,292, still loading`. */
export const ReadingCount = ({ about, state: { failure, progress: { done, order } } }: {
  readonly about: About
  readonly state: RecordState
}) => {
  const all = about.sections.reduce((sum, { itemCount }) => sum + itemCount, 0)
  return (
    <p role="status" className="soft number">
      {done || failure !== undefined
        ? null
        : `${order.length.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}, still loading`}
    </p>
  )
}
