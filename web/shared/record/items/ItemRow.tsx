import { Tag } from "../../ui/Tag.tsx"
import { recordedDay } from "../ClinicalDays.ts"
import type { Line } from "../Messages.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Flags } from "./Flags.tsx"
import { unitsInWords } from "./Units.ts"
import { WholeNumbers } from "./WholeNumbers.tsx"

/** A row of the table of all items. Its name opens the item. */
export const ItemRow = ({ index, isOpen, isPrinted, isStop, line, measure, onOpen }: {
  readonly index: number
  readonly isOpen: boolean
  /** True if the Tab key stops here. */
  readonly isStop: boolean
  /** True on paper, where the name is plain text: a button is never split between sheets. */
  readonly isPrinted: boolean
  readonly line: Line
  readonly measure: (row: HTMLTableRowElement | null) => void
  readonly onOpen: () => void
}) => {
  const words = useRecordWords()
  const { date, flags, how, key, kind, status, title, value } = line
  const name = flags.includes("Entered in error") ? <s dir="auto">{title}</s> : <bdi>{title}</bdi>
  const shown = value === null ? "" : unitsInWords(value)
  return (
    <tr aria-rowindex={index + 2} data-index={index} ref={measure} className={isOpen ? "is-open" : ""}>
      <td className="number when">{date === "" ? words.noDate : recordedDay(date.slice(0, 10))}</td>
      <th scope="row">
        {isPrinted ? <span data-item={key}>{name}</span> : (
          <button
            type="button"
            className="item-name"
            data-item={key}
            tabIndex={isStop ? 0 : -1}
            aria-expanded={isOpen}
            onClick={onOpen}
          >
            {name}
          </button>
        )}
        {how === null ? null : (
          <>
            <Tag kind="good">{how === "new" ? "New" : "Changed"}</Tag>
          </>
        )}
        <Flags of={flags} />
        <span className="thin number" dir="auto">
          <WholeNumbers of={shown} />
        </span>
        {status === null ? null : <span className="status-word soft">{status}</span>}
        <span className="kind-word soft">{words.kinds[kind]}</span>
      </th>
      <td className="number wide" dir="auto">
        <span className="clamped">
          <WholeNumbers of={shown} />
        </span>
      </td>
      <td className="widest">{words.kinds[kind]}</td>
      <td className="wide">{status}</td>
    </tr>
  )
}
