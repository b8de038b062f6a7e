import { type ReactNode, type RefObject, useDeferredValue, useId, useMemo } from "react"
import { sentEntries } from "../glance/SentEntries.ts"
import type { Line } from "../Messages.ts"
import type { OpenRecord, RecordState } from "../OpenRecord.ts"
import { recordWords } from "../RecordLanguage.ts"
import { type Choice, FilterBar } from "./FilterBar.tsx"
import { ItemDetail } from "./ItemDetail.tsx"
import { filtered, filterWords } from "./ItemFilter.ts"
import { firstView, type ItemsView } from "./ItemsView.ts"
import { ItemTable } from "./ItemTable.tsx"
import { isOfKind, type KindFilter, kinds } from "./Kinds.ts"
import { ListWords } from "./ListWords.tsx"
import { OwnDetail } from "./OwnDetail.tsx"
import type { OwnItem } from "./OwnItems.ts"
import { sorted } from "./Sorting.ts"

const none: ReadonlyArray<OwnItem> = []

/** All items: the filter in controls and in words, the table, and the open item beside it. */
export const Items = ({ heading, own = none, record, setShown, sheetHead, shown, state }: {
  readonly record: OpenRecord
  readonly state: RecordState
  /** Lines besides the record's items: what the patient wrote and shares, and notes. */
  readonly own?: ReadonlyArray<OwnItem>
  readonly shown: ItemsView
  readonly setShown: (shown: ItemsView) => void
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** What every printed sheet of the table begins with. */
  readonly sheetHead?: ReactNode
}) => {
  const { about, failure, lines, progress: { done, order } } = state
  const { from, isActiveOnly, isNewOnly, kind, open, sorting, to } = shown
  const query = useDeferredValue(shown.query)
  const since = about?.since ?? null
  const id = useId()
  const all = useMemo(
    () => sorted([...Array.from(order, (key) => lines[key]!), ...own], sorting),
    [lines, order, own, sorting]
  )
  const filter = useMemo(
    () => ({ from, isActiveOnly, isNewOnly, kind, query, to }),
    [from, isActiveOnly, isNewOnly, kind, query, to]
  )
  const { shown: rows, undated } = useMemo(() => filtered(all, filter), [all, filter])
  const choices = useMemo(() => choicesOf(all, kind), [all, kind])
  const words = filterWords(filter, since)
  const opened = own.find(({ key }) => key === open)
  const onClose = () => {
    setShown({ ...shown, open: undefined, opener: undefined })
    returnFocus(shown, heading)
  }

  return (
    <section className="card stack tight items" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} ref={heading} tabIndex={-1}>{words.length === 0 ? "All items" : "Items"}</h2>
      <FilterBar
        choices={choices}
        shown={shown}
        setShown={setShown}
        since={since}
        hasNew={all.some(({ how }) => how !== null)}
      />
      <ListWords
        filter={words}
        sorting={sorting}
        count={rows.length}
        all={all.length}
        undated={undated}
        isCut={about !== undefined && about.selfReported.length >= sentEntries}
        isLoading={!done && failure === undefined}
        onReset={() => setShown({ ...firstView, open })}
      />
      <div className={`split stack ${open === undefined ? "" : "open"}`}>
        <ItemTable
          rows={rows}
          isEmpty={all.length === 0}
          sheetHead={
            <>
              {sheetHead}
              {words.length === 0 ? null : <p dir="auto">Only: {words.join("; ")}.</p>}
            </>
          }
          open={open}
          onOpen={(open) => setShown({ ...shown, open, opener: undefined })}
          sorting={sorting}
          onSort={(sorting) => setShown({ ...shown, sorting })}
        />
        {open === undefined
          ? null
          : opened === undefined
          ? <ItemDetail key={open} record={record} of={open} onClose={onClose} />
          : <OwnDetail key={open} item={opened} onClose={onClose} />}
      </div>
    </section>
  )
}

/** The kinds that the record has, and the chosen one. */
const choicesOf = (all: ReadonlyArray<Line>, chosen: KindFilter): ReadonlyArray<Choice> => {
  const counts = new Map<KindFilter, number>()
  for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const words = recordWords().kinds
  const results = all.filter(({ kind }) => isOfKind(kind, "results")).length
  return [
    ["all", words.all, all.length],
    ...(chosen === "results" ? [["results", words.results, results] as const] : []),
    ...kinds.filter((kind) => counts.has(kind) || kind === chosen)
      .map((kind) => [kind, words[kind], counts.get(kind) ?? 0] as const)
  ]
}

/** Returns the focus to the opener, else to the item's row, else to the list. */
const returnFocus = ({ open, opener }: ItemsView, heading: RefObject<HTMLElement | null>) => {
  const row = document.querySelector<HTMLElement>(`[data-item="${open}"]`)
  const target = opener?.isConnected === true ? opener : row ?? heading.current
  target?.focus()
}
