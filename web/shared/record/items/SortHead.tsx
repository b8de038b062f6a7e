import type { ReactNode } from "react"
import { sortedNext, type Sorting } from "./Sorting.ts"

/** The head of a column that sorts the table. An arrow repeats what assistive technology hears from `aria-sort`. */
export const SortHead = ({ children, column, isPrinted, onSort, sorting }: {
  readonly column: Sorting["by"]
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  /** True on paper, where Chromium leaves a button out of a repeated head. */
  readonly isPrinted: boolean
  readonly children: ReactNode
}) => {
  const isSorted = sorting.by === column
  return (
    <th
      scope="col"
      className={column === "kind" ? "widest" : ""}
      {...(isSorted ? { "aria-sort": sorting.isDescending ? "descending" : "ascending" } as const : {})}
    >
      {isPrinted
        ? children
        : (
          <button type="button" className="sort" onClick={() => onSort(sortedNext(sorting, column))}>
            {children} <span aria-hidden="true">{isSorted ? (sorting.isDescending ? "↓" : "↑") : "↕"}</span>
          </button>
        )}
    </th>
  )
}
