import { useVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { printedRows, usePrinting } from "../../Printing.ts"
import type { Line } from "../Messages.ts"
import { ItemRow } from "./ItemRow.tsx"
import { SortHead } from "./SortHead.tsx"
import type { Sorting } from "./Sorting.ts"

/** The number of rows that Page Up and Page Down move by. */
const pageOfRows = 10

const moves: ReadonlyMap<string, (at: number, last: number) => number> = new Map([
  ["ArrowDown", (at: number) => at + 1],
  ["ArrowUp", (at: number) => at - 1],
  ["PageDown", (at: number) => at + pageOfRows],
  ["PageUp", (at: number) => at - pageOfRows],
  ["Home", () => 0],
  ["End", (_: number, last: number) => last]
])

/** The columns on paper, where the first row has one cell and so gives no widths. */
const columns = ["date", "name", "value", "kind", "status"]

/**
 * A table that renders only its visible rows, and tells assistive technology how many there are (WAI-ARIA,
 * aria-rowcount). The table is one Tab stop; arrows, page keys, Home and End move between rows. A printout has up to
 * `printedRows` rows.
 */
export const ItemTable = ({ isEmpty, onOpen, onSort, open, rows, sheetHead, sorting }: {
  readonly rows: ReadonlyArray<Line>
  /** True if there are no items at all. */
  readonly isEmpty: boolean
  readonly open: number | undefined
  readonly onOpen: (key: number | undefined) => void
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  /** The beginning of the head that a browser repeats on each printed sheet. */
  readonly sheetHead: ReactNode
}) => {
  const scroller = useRef<HTMLDivElement>(null)
  const printing = usePrinting() !== undefined
  const [active, setActive] = useState(0)
  const wanted = useRef<number>(undefined)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by React's compiler
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 41,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8
  })
  // A new list starts at its top.
  useEffect(() => {
    setActive(0)
    scroller.current?.scrollTo({ top: 0 })
  }, [rows])
  // Scrolls to an item that was opened elsewhere.
  useEffect(() => {
    const index = open === undefined ? -1 : rows.findIndex(({ key }) => key === open)
    if (index === -1) return
    setActive(index)
    virtual.scrollToIndex(index, { align: "auto" })
    // oxlint-disable-next-line react/exhaustive-deps -- scrolls when an item is opened, not when the list changes
  }, [open])
  const visible = virtual.getVirtualItems()
  const indexes = printing ? Array.from(rows.slice(0, printedRows).keys()) : visible.map(({ index }) => index)
  // Focuses the row that a key chose. It runs after each render, because the row may not be rendered yet.
  useEffect(() => {
    if (wanted.current === undefined) return
    const button = scroller.current?.querySelector<HTMLElement>(`[data-item="${rows[wanted.current]?.key}"]`)
    if (button === null || button === undefined) return
    wanted.current = undefined
    button.focus({ preventScroll: true })
  })
  const stop = indexes.includes(active) ? active : indexes[0]

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open !== undefined) return onOpen(undefined)
    const move = moves.get(event.key)
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(move(stop ?? 0, rows.length - 1), 0), rows.length - 1)
    wanted.current = next
    setActive(next)
    virtual.scrollToIndex(next, { align: "auto" })
  }

  if (rows.length === 0) {
    return (
      <div className="no-items">
        {printing ? sheetHead : null}
        <p className="nothing">{isEmpty ? "There are no items to show." : "No item matches this search."}</p>
      </div>
    )
  }
  return (
    <div className="items-table">
      <p className="spoken" id="items-keys">Use the arrow keys to move between items, and Enter to open one.</p>
      <div className="scroller" ref={scroller}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys for all its buttons */}
        <table
          className="usa-table"
          aria-label="Items"
          aria-describedby="items-keys"
          aria-rowcount={rows.length + 1}
          onKeyDown={onKeyDown}
        >
          {printing ? <colgroup>{columns.map((column) => <col key={column} className={column} />)}</colgroup> : null}
          <thead>
            {printing
              ? (
                <tr className="sheet-row">
                  <td colSpan={columns.length}>{sheetHead}</td>
                </tr>
              )
              : null}
            <tr aria-rowindex={1}>
              <SortHead column="date" sorting={sorting} onSort={onSort} isPrinted={printing}>Date</SortHead>
              <SortHead column="name" sorting={sorting} onSort={onSort} isPrinted={printing}>Item</SortHead>
              <th scope="col" className="wide">Value</th>
              <SortHead column="kind" sorting={sorting} onSort={onSort} isPrinted={printing}>Kind</SortHead>
              <th scope="col" className="wide">Status</th>
            </tr>
          </thead>
          <tbody>
            {printing ? null : <Gap height={visible[0]?.start ?? 0} />}
            {indexes.map((index) => {
              const line = rows[index]!
              return (
                <ItemRow
                  key={line.key}
                  index={index}
                  line={line}
                  isOpen={open === line.key}
                  isStop={index === stop}
                  isPrinted={printing}
                  measure={virtual.measureElement}
                  onOpen={() => {
                    setActive(index)
                    onOpen(open === line.key ? undefined : line.key)
                  }}
                />
              )
            })}
            {printing ? null : <Gap height={virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)} />}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Fills the height of the rows that are not rendered. */
const Gap = ({ height }: { readonly height: number }) =>
  height <= 0 ? null : (
    <tr className="gap" aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- not a control, and hidden from assistive technology */}
      <td style={{ height }} />
    </tr>
  )
