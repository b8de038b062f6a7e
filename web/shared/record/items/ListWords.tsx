import { printedRows, usePrinting } from "../../Printing.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { type Sorting, sortingWords } from "./Sorting.ts"

/** Which items the table has, in words. They stand above it, on the screen and on paper. */
export const ListWords = ({ all, count, filter, isCut, isLoading, onReset, sorting, undated }: {
  /** The filter in words. No words if it lets all items through. */
  readonly filter: ReadonlyArray<string>
  readonly sorting: Sorting
  readonly count: number
  readonly all: number
  /** How many items a date range leaves out because they have no date. */
  readonly undated: number
  /** True if older entries of the patient were not sent. */
  readonly isCut: boolean
  readonly isLoading: boolean
  readonly onReset: () => void
}) => {
  const { own } = useReaderWords()
  const words = useRecordWords().list
  const printing = usePrinting() !== undefined
  const order = sortingWords(sorting)
  const isFiltered = filter.length > 0
  return (
    <>
      {isFiltered || order !== null
        ? (
          <p className="list-words">
            {isFiltered ? <b dir="auto">{words.only(filter.join("; "))}</b> : null}{" "}
            {order === null ? null : words.sorted(order)}{" "}
            <button type="button" className="link" onClick={onReset}>{words.reset}</button>
          </p>
        )
        : null}
      <p className="soft" role="status">{words.count(count, all, isFiltered)}{isLoading ? words.stillLoading : ""}</p>
      {isCut ? <p className="soft">{own.cut}</p> : null}
      {undated === 0 ? null : <p className="soft">{words.undated(undated)}</p>}
      {printing && count > printedRows
        ? <p className="nothing alarming">{words.printed(printedRows, count)}</p>
        : null}
    </>
  )
}
