import { type RefObject, useDeferredValue, useId, useMemo } from "react"
import { folded } from "../Folded.ts"
import type { OpenRecord, RecordState } from "../OpenRecord.ts"
import { ItemDetail } from "./ItemDetail.tsx"
import type { ItemsView } from "./ItemsView.ts"
import { ItemTable } from "./ItemTable.tsx"
import { isOfKind, type KindFilter, kinds } from "./Kinds.ts"

/** All items: a search, the kinds with their counts, the table, and the open item beside it. */
export const Items = ({ heading, record, setShown, shown, state }: {
  readonly record: OpenRecord
  readonly state: RecordState
  readonly shown: ItemsView
  readonly setShown: (shown: ItemsView) => void
  readonly heading: RefObject<HTMLHeadingElement | null>
}) => {
  const { lines, progress: { done, expected, order } } = state
  const { kind, open, query } = shown
  const deferred = useDeferredValue(query)
  const id = useId()
  const counts = useMemo(() => {
    const counts = new Map<string, number>()
    for (const key of order) counts.set(lines[key]!.kind, (counts.get(lines[key]!.kind) ?? 0) + 1)
    return counts
  }, [lines, order])
  const matches = useMemo(() => {
    const words = folded(deferred).split(/\s+/).filter((word) => word !== "")
    return order.filter((key) => {
      const line = lines[key]!
      return isOfKind(line.kind, kind) && words.every((word) => line.folded.includes(word))
    })
  }, [lines, order, kind, deferred])
  const results = ["laboratory", "vital-signs", "observations"].reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0)
  const choices: ReadonlyArray<readonly [KindFilter, string, number]> = [
    ["all", "All", order.length],
    ...(kind === "results" ? [["results", "Results and vital signs", results] as const] : []),
    ...kinds.filter(([kind]) => counts.has(kind)).map(([kind, words]) => [kind, words, counts.get(kind)!] as const)
  ]
  const choose = (kind: KindFilter) => setShown({ ...shown, kind })

  return (
    <section className="card stack tight items" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} ref={heading} tabIndex={-1}>All items</h2>
      <div className="screen-only stack tight">
        <div>
          <label className="usa-label" htmlFor={`${id}-search`}>Search by name or value</label>
          <input
            id={`${id}-search`}
            className="usa-input"
            type="search"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={({ target }) => setShown({ ...shown, query: target.value })}
          />
        </div>
        <div className="chips" role="group" aria-label="Kinds of items">
          {choices.map(([one, words, count]) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={kind === one}
              onClick={() => choose(one)}
            >
              {words} <span className="number">{count.toLocaleString("en-US")}</span>
            </button>
          ))}
        </div>
        <div className="kind-select">
          <label className="usa-label" htmlFor={`${id}-kind`}>Kind</label>
          <select
            id={`${id}-kind`}
            className="usa-select"
            value={kind}
            onChange={({ target }) => choose(target.value as KindFilter)}
          >
            {choices.map(([one, words, count]) => (
              <option key={one} value={one}>{words} ({count.toLocaleString("en-US")})</option>
            ))}
          </select>
        </div>
      </div>
      <p className="soft" role="status">
        {countWords(matches.length, done || state.failure !== undefined, expected, order.length)}
      </p>
      <div className={`split ${open === undefined ? "" : "open"}`}>
        <ItemTable
          lines={lines}
          keys={matches}
          open={open}
          onOpen={(open) => setShown({ ...shown, open, opener: undefined })}
        />
        {open === undefined ? null : (
          <ItemDetail
            key={open}
            record={record}
            of={open}
            onClose={() => {
              setShown({ ...shown, open: undefined, opener: undefined })
              returnFocus(shown, heading)
            }}
          />
        )}
      </div>
    </section>
  )
}

const countWords = (matches: number, isOver: boolean, expected: number, loaded: number) => {
  const items = `${matches.toLocaleString("en-US")} item${matches === 1 ? "" : "s"}`
  if (isOver) return items
  return matches === loaded
    ? `${items}, still loading`
    : `${items}, still loading (${loaded.toLocaleString("en-US")} of ${expected.toLocaleString("en-US")})`
}

/** Returns the focus to the opener, else to the item's row, else to the list. */
const returnFocus = ({ open, opener }: ItemsView, heading: RefObject<HTMLElement | null>) => {
  const row = document.querySelector<HTMLElement>(`[data-item="${open}"]`)
  const target = opener?.isConnected === true ? opener : row ?? heading.current
  target?.focus()
}
