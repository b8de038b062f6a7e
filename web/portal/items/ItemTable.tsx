import { useVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import type { Line } from "../../shared/record/Messages.ts"
import { printedRows, usePrinting } from "../Printing.ts"
import { Flags } from "./Flags.tsx"
import { kindWords } from "./Kinds.ts"
import { unitsInWords } from "./Units.ts"

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

/**
 * A table that renders only its visible rows, and tells assistive technology how many there are (WAI-ARIA,
 * aria-rowcount). The table is one Tab stop; arrows, page keys, Home and End move between rows. A printout has up to
 * `printedRows` rows.
 */
export const ItemTable = ({ keys, lines, onOpen, open }: {
  readonly lines: ReadonlyArray<Line>
  /** The keys of the rows, in order. */
  readonly keys: Uint32Array
  readonly open: number | undefined
  readonly onOpen: (key: number | undefined) => void
}) => {
  const scroller = useRef<HTMLDivElement>(null)
  const printing = usePrinting() !== undefined
  const [active, setActive] = useState(0)
  const wanted = useRef<number>(undefined)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by React's compiler
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 41,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 8
  })
  // A new list starts at its top.
  useEffect(() => {
    setActive(0)
    scroller.current?.scrollTo({ top: 0 })
  }, [keys])
  // Scrolls to an item that was opened elsewhere.
  useEffect(() => {
    const index = open === undefined ? -1 : keys.indexOf(open)
    if (index === -1) return
    setActive(index)
    virtual.scrollToIndex(index, { align: "auto" })
    // oxlint-disable-next-line react/exhaustive-deps -- scrolls when an item is opened, not when the list changes
  }, [open])
  const visible = virtual.getVirtualItems()
  const rows = printing
    ? Array.from(keys.subarray(0, printedRows), (_, index) => ({ index, start: 0, end: 0 }))
    : visible
  // Focuses the row that a key chose. This effect runs after each render, because the row may not be rendered yet.
  useEffect(() => {
    if (wanted.current === undefined) return
    const button = scroller.current?.querySelector<HTMLElement>(`[data-item="${keys[wanted.current]}"]`)
    if (button === null || button === undefined) return
    wanted.current = undefined
    button.focus({ preventScroll: true })
  })
  const stop = rows.some(({ index }) => index === active) ? active : rows[0]?.index

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open !== undefined) return onOpen(undefined)
    const move = moves.get(event.key)
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(move(stop ?? 0, keys.length - 1), 0), keys.length - 1)
    wanted.current = next
    setActive(next)
    virtual.scrollToIndex(next, { align: "auto" })
  }

  if (keys.length === 0) {
    return (
      <p className="nothing">{lines.length === 0 ? "There are no items to show." : "No item matches this search."}</p>
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
          aria-rowcount={keys.length + 1}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Date</th>
              <th scope="col">Item</th>
              <th scope="col" className="wide">Value</th>
              <th scope="col" className="wide">Kind</th>
              <th scope="col" className="wide">Status</th>
            </tr>
          </thead>
          <tbody>
            {printing ? null : <Gap height={visible[0]?.start ?? 0} />}
            {rows.map(({ index }) => (
              <ItemRow
                key={keys[index]}
                index={index}
                line={lines[keys[index]!]!}
                isOpen={open === keys[index]}
                isStop={index === stop}
                measure={virtual.measureElement}
                onOpen={() => {
                  setActive(index)
                  onOpen(open === keys[index] ? undefined : keys[index])
                }}
              />
            ))}
            {printing ? null : <Gap height={virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)} />}
          </tbody>
        </table>
      </div>
      {printing && keys.length > printedRows
        ? (
          <p>
            The first {printedRows.toLocaleString("en-US")} of {keys.length.toLocaleString("en-US")}{" "}
            items. Search or choose a kind to print others.
          </p>
        )
        : null}
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

const ItemRow = ({ index, isOpen, isStop, line, measure, onOpen }: {
  readonly index: number
  readonly line: Line
  readonly isOpen: boolean
  readonly isStop: boolean
  readonly measure: (row: HTMLTableRowElement | null) => void
  readonly onOpen: () => void
}) => {
  const { date, flags, key, kind, status, title, value } = line
  const isMistake = flags.includes("Entered in error")
  const shown = value === null ? "" : unitsInWords(value)
  return (
    <tr aria-rowindex={index + 2} data-index={index} ref={measure} className={isOpen ? "is-open" : ""}>
      <td className="number when">{date === "" ? "No date" : recordedDay(date.slice(0, 10))}</td>
      <th scope="row">
        <button
          type="button"
          className="item-name"
          data-item={key}
          tabIndex={isStop ? 0 : -1}
          aria-expanded={isOpen}
          onClick={onOpen}
        >
          {isMistake ? <s dir="auto">{title}</s> : <bdi>{title}</bdi>}
        </button>
        <Flags of={flags} />
        <span className="thin number" dir="auto">{shown}</span>
      </th>
      <td className="number wide" dir="auto">
        <span className="clamped">{shown}</span>
      </td>
      <td className="wide">{kindWords(kind)}</td>
      <td className="wide">{status}</td>
    </tr>
  )
}
