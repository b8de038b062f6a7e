import { useEffect, useId, useRef } from "react"
import type { OpenRecord } from "../OpenRecord.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { ItemContent, ItemTitle, useItem } from "./ItemContent.tsx"
import { ItemFile } from "./ItemFile.tsx"

/** One item with all its details, beside the table. It takes the focus; Escape closes it. */
export const ItemDetail = ({ of, onClose, record }: {
  readonly of: number
  readonly record: OpenRecord
  readonly onClose: () => void
}) => {
  const item = useItem(record, of)
  const { kinds } = useRecordWords()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const isThere = item !== undefined
  useEffect(() => {
    if (isThere) heading.current?.focus()
  }, [isThere])
  if (item === undefined) return <section className="detail card" aria-busy="true" />
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the section, wherever in it the focus is
    <section
      className="detail card stack tight"
      aria-labelledby={id}
      onKeyDown={({ key }) => key === "Escape" ? onClose() : undefined}
    >
      <div className="row between">
        <h3 id={id} ref={heading} tabIndex={-1} dir="auto">
          <ItemTitle row={item.row} />
        </h3>
        <button type="button" className="link" onClick={onClose}>Close</button>
      </div>
      <ItemContent
        heading="h4"
        item={item}
        kind={kinds[item.kind]}
        record={record}
        renderFile={(file) => <ItemFile file={file} />}
      />
    </section>
  )
}
