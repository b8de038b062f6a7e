import { useId } from "react"
import { useRecordWords } from "../RecordLanguage.ts"
import { newWords } from "./ItemFilter.ts"
import type { ItemsView } from "./ItemsView.ts"
import { canBeActive, type KindFilter } from "./Kinds.ts"

/** A kind with its words and how many items it has. */
export type Choice = readonly [kind: KindFilter, words: string, count: number]

/** The search, the kinds, the dates, and the switches for active and for new items. */
export const FilterBar = ({ choices, hasNew, setShown, shown, since }: {
  readonly choices: ReadonlyArray<Choice>
  readonly shown: ItemsView
  readonly setShown: (shown: ItemsView) => void
  readonly since: string | null
  /** True if an item is new or changed. */
  readonly hasNew: boolean
}) => {
  const { from, isActiveOnly, isNewOnly, kind, query, to } = shown
  const id = useId()
  const { days: { tag }, filter: names } = useRecordWords()
  const change = (part: Partial<ItemsView>) => setShown({ ...shown, ...part })
  return (
    <div className="screen-only stack tight filter-bar">
      <div>
        <label className="usa-label" htmlFor={`${id}-search`}>{names.search}</label>
        <input
          id={`${id}-search`}
          className="usa-input"
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => change({ query: target.value })}
        />
      </div>
      {choices.length < 2 ? null : (
        <>
          <div className="chips kind-chips" role="group" aria-label={names.kinds}>
            {choices.map(([one, words, count]) => (
              <button
                key={one}
                type="button"
                className="chip"
                aria-pressed={kind === one}
                onClick={() => change({ kind: one })}
              >
                {words} <span className="number">{count.toLocaleString(tag)}</span>
              </button>
            ))}
          </div>
          <div className="kind-select">
            <label className="usa-label" htmlFor={`${id}-kind`}>{names.kind}</label>
            <select
              id={`${id}-kind`}
              className="usa-select"
              value={kind}
              onChange={({ target }) => change({ kind: target.value as KindFilter })}
            >
              {choices.map(([one, words, count]) => (
                <option key={one} value={one}>{words} ({count.toLocaleString(tag)})</option>
              ))}
            </select>
          </div>
        </>
      )}
      <div className="filter-row">
        <DayField label={names.from} value={from} onChange={(from) => change({ from })} />
        <DayField label={names.to} value={to} onChange={(to) => change({ to })} />
        <div className="chips" role="group" aria-label={names.some}>
          {canBeActive(kind)
            ? <Switch words={names.active} isOn={isActiveOnly} onChange={(isActiveOnly) => change({ isActiveOnly })} />
            : null}
          {hasNew || isNewOnly
            ? (
              <Switch
                words={capitalized(newWords(since))}
                isOn={isNewOnly}
                onChange={(isNewOnly) => change({ isNewOnly })}
              />
            )
            : null}
        </div>
      </div>
    </div>
  )
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const DayField = ({ label, onChange, value }: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const id = useId()
  return (
    <div className="day-field">
      <label className="usa-label" htmlFor={id}>{label}</label>
      <input
        id={id}
        className="usa-input"
        type="date"
        value={value}
        max="9999-12-31"
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

const Switch = ({ isOn, onChange, words }: {
  readonly words: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
    {words}
  </button>
)
