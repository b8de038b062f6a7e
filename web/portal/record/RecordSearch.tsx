import { useEffect, useId, useRef } from "react"
import { listen } from "../../shared/Listen.ts"

/** The search of the record, always in reach. The slash key leads to it, and Enter leads on to what it found. */
export const RecordSearch = ({ onFind, onQuery, query }: {
  readonly query: string
  readonly onQuery: (query: string) => void
  /** Shows the items that match. */
  readonly onFind: () => void
}) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.altKey || event.ctrlKey || event.metaKey || isElsewhere(event.target)) return
      event.preventDefault()
      field.current?.select()
      field.current?.focus()
    }
    return listen({ keydown }, document)
  }, [])
  return (
    <form
      className="record-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onFind()
      }}
    >
      <label htmlFor={id}>Search this record</label>
      <input
        ref={field}
        id={id}
        className="usa-input"
        type="search"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        aria-keyshortcuts="/"
        value={query}
        onChange={({ target }) => onQuery(target.value)}
      />
    </form>
  )
}

/** Whether a key belongs to a field, or to a dialog above the page. */
const isElsewhere = (target: EventTarget | null) =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]"))
