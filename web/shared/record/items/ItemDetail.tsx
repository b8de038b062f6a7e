import type { OpenRecord } from "../OpenRecord.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Detail } from "./Detail.tsx"
import { ItemContent, ItemTitle, useItem } from "./ItemContent.tsx"
import { ItemFile } from "./ItemFile.tsx"

/** One item with all its details, beside the table. */
export const ItemDetail = ({ of, onClose, record }: {
  readonly of: number
  readonly record: OpenRecord
  readonly onClose: () => void
}) => {
  const item = useItem(record, of)
  const { kinds } = useRecordWords()
  if (item === undefined) return <section className="detail card" aria-busy="true" />
  return (
    <Detail title={<ItemTitle row={item.row} />} onClose={onClose}>
      <ItemContent
        heading="h4"
        item={item}
        kind={kinds[item.kind]}
        record={record}
        renderFile={(file) => <ItemFile file={file} />}
      />
    </Detail>
  )
}
