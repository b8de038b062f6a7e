import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react"
import "./tabs.css"

export interface TabContent {
  readonly name: string
  readonly content: ReactNode
}

/**
 * Tabs (WAI-ARIA Authoring Practices): one Tab stop, and arrow keys between the tabs. A panel is rendered when it is
 * first shown, and then keeps its place.
 */
export const Tabs = ({ label, of }: { readonly label: string; readonly of: ReadonlyArray<TabContent> }) => {
  const [selected, setSelected] = useState(0)
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set([0]))
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const select = (index: number) => {
    setSelected(index)
    setVisited((before) => new Set([...before, index]))
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    const next = (selected + step + of.length) % of.length
    select(next)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div className="stack">
      <div ref={list} role="tablist" aria-label={label}>
        {of.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === selected}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => select(index)}
            onKeyDown={onKeyDown}
          >
            {name}
          </button>
        ))}
      </div>
      {of.map(({ content }, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- the tabs never change places, and their names change with the language
          key={index}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== selected}
        >
          {visited.has(index) ? content : null}
        </div>
      ))}
    </div>
  )
}
