import { useEffect, useId, useRef } from "react"
import { recordedDay } from "../ClinicalDays.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Fact } from "./Fact.tsx"
import type { OwnItem } from "./OwnItems.ts"

/** A text of the patient, a document or a note, opened from the table. It takes the focus; Escape closes it. */
export const OwnDetail = ({ item, onClose }: { readonly item: OwnItem; readonly onClose: () => void }) => {
  const { address, date, kind, status, title, value, valueName } = item
  const { kinds } = useRecordWords()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is in it
    <section
      className="detail card stack tight"
      aria-labelledby={id}
      onKeyDown={({ key }) => key === "Escape" ? onClose() : undefined}
    >
      <div className="row between">
        <h3 id={id} ref={heading} tabIndex={-1}>{kinds[kind]}</h3>
        <button type="button" className="link" onClick={onClose}>Close</button>
      </div>
      <p className="written" dir="auto">{title}</p>
      <dl className="item-facts">
        <Fact name="Date">{recordedDay(date.slice(0, 10))}</Fact>
        <Fact name={valueName}>{value}</Fact>
        {status === null ? null : <Fact name="Status">{status}</Fact>}
      </dl>
      {address === null ? null : (
        <p>
          <a href={address}>Open the document</a>
        </p>
      )}
    </section>
  )
}
