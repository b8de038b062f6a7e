import { printedRows, usePrinting } from "../../Printing.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { type Sorting, sortingWords } from "./Sorting.ts"

const number = (count: number) => count.toLocaleString("en-US")

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
  const printing = usePrinting() !== undefined
  const order = sortingWords(sorting)
  const isFiltered = filter.length > 0
  return (
    <>
      {isFiltered || order !== null
        ? (
          <p className="list-words">
            {isFiltered ? <b dir="auto">Only: {filter.join("; ")}.</b> : null}{" "}
            {order === null ? null : `Sorted ${order}.`}{" "}
            <button type="button" className="link" onClick={onReset}>Show all, newest first</button>
          </p>
        )
        : null}
      <p className="soft" role="status">{countWords(count, all, isFiltered)}{isLoading ? ", still loading" : ""}</p>
      {isCut ? <p className="soft">{own.cut}</p> : null}
      {undated === 0 ? null : (
        <p className="soft">
          {undated === 1 ? "1 item has no date, so it is" : `${number(undated)} items have no date, so they are`}{" "}
          not in this list.
        </p>
      )}
      {printing && count > printedRows
        ? (
          <p className="nothing alarming">
            Only the first {number(printedRows)} of {number(count)}{" "}
            items are printed here. Search or choose a kind to print others.
          </p>
        )
        : null}
    </>
  )
}

const countWords = (count: number, all: number, isFiltered: boolean) =>
  `${isFiltered ? `${number(count)} of ` : ""}${number(all)} item${all === 1 ? "" : "s"}`
