import { recordedDay } from "../ClinicalDays.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Detail } from "./Detail.tsx"
import { Fact } from "./Fact.tsx"
import type { OwnItem } from "./OwnItems.ts"

/** A text of the patient, a document or a note, opened from the table. */
export const OwnDetail = ({ item, onClose }: { readonly item: OwnItem; readonly onClose: () => void }) => {
  const { address, date, kind, status, title, value, valueName } = item
  return (
    <Detail title={useRecordWords().kinds[kind]} onClose={onClose}>
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
    </Detail>
  )
}
