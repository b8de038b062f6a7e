import { lazy, type ReactNode, Suspense, useCallback, useState } from "react"
import type { InlineFile, Labelled } from "../../../../src/clinical/Row.ts"
import { useAnswer } from "../../Answer.ts"
import { Untrusted } from "../../ui/Untrusted.tsx"
import { recordedDays } from "../ClinicalDays.ts"
import type { Item } from "../Messages.ts"
import type { OpenRecord } from "../OpenRecord.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Term } from "../Term.tsx"
import { Fact } from "./Fact.tsx"
import { FhirSource } from "./FhirSource.tsx"
import { Flags } from "./Flags.tsx"
import { unitsInWords } from "./Units.ts"

const NotDrawn = () => <p className="soft">{useRecordWords().trend.notDrawn}</p>

const ItemTrend = lazy(() => import("./ItemTrend.tsx").catch(() => ({ default: NotDrawn })))

const mistake = "Entered in error"

/** The labels of a result's most important details (`src/clinical/Row.ts`). */
export const ofResult = ["Value", "Reference range", "Interpretation"]

/** An item with all its details, undefined until the thread has answered. */
export const useItem = (record: OpenRecord, key: number) =>
  useAnswer(useCallback(() => record.item(key), [record, key]))

/** The title of an item, struck if the item is a mistake. */
export const ItemTitle = ({ row: { flags, title } }: Pick<Item, "row">) =>
  flags.includes(mistake) ? <s>{title}</s> : title

/** Everything about an item but its title. */
export const ItemContent = (
  { first = [], heading, item: { key, narrative, row, trend }, kind, record, renderFile }: {
    /** The rank of the headings below the item's title. */
    readonly heading: "h2" | "h4"
    /** The labels of the details that come before all others. */
    readonly first?: ReadonlyArray<string>
    readonly item: Item
    /** The name of the item's kind. */
    readonly kind: string
    readonly record: OpenRecord
    /** Shows a file of the item. */
    readonly renderFile: (file: InlineFile) => ReactNode
  }
) => {
  const reader = useReaderWords()
  const words = useRecordWords()
  const flags = row.flags.filter((flag) => flag !== mistake)
  return (
    <>
      {row.flags.includes(mistake) ? <p className="nothing alarming">{reader.mistake}</p> : null}
      {flags.length === 0 ? null : (
        <p className="row">
          <Flags of={flags} />
        </p>
      )}
      <dl className="item-facts">
        <Details of={row.details.filter(({ label }) => first.includes(label))} />
        <Fact name={words.item.kind}>{kind}</Fact>
        {row.dates.map(({ label, text }) => <Fact key={label} name={<Term of={label} />}>{recordedDays(text)}</Fact>)}
        {row.status === null ? null : (
          <Fact name={words.item.status}>
            <Term of={row.status} />
          </Fact>
        )}
        <Details of={row.details.filter(({ label }) => !first.includes(label))} />
        {row.code === null ? null : <Fact name={words.item.code}>{row.code}</Fact>}
      </dl>
      {row.files.length === 0 ? null : (
        <ul className="glance-list" aria-label={words.item.files}>
          {/* oxlint-disable-next-line react/no-array-index-key -- files have no other name, and the list never changes */}
          {row.files.map((file, index) => <li key={index}>{renderFile(file)}</li>)}
        </ul>
      )}
      {trend === null ? null : (
        <Suspense fallback={<p className="soft" role="status">{words.trend.drawing}</p>}>
          <ItemTrend trend={trend} title={row.title} heading={heading} />
        </Suspense>
      )}
      {narrative === null ? null : (
        <Disclosure summary={reader.narrative}>
          <Untrusted source={narrative} title={words.item.textOf(row.title)} />
        </Disclosure>
      )}
      <Disclosure summary={reader.source}>
        <FhirSource record={record} of={key} />
      </Disclosure>
    </>
  )
}

/** Details whose words are ours, for a code of FHIR. All others are shown as the source wrote them. */
const coded = new Set(["Criticality", "Interpretation"])

const Details = ({ of }: { readonly of: ReadonlyArray<Labelled> }) => {
  const { ofSource } = useRecordWords()
  return of.map(({ label, text }, index) => (
    <Fact
      // oxlint-disable-next-line react/no-array-index-key -- labels may come twice, and the list never changes
      key={index}
      name={<Term of={label} />}
      strong={label === "Value"}
      lang={coded.has(label) ? undefined : ofSource}
    >
      {label === "Value" || label === "Reference range"
        ? unitsInWords(text)
        : coded.has(label)
        ? <Term of={text} />
        : text}
    </Fact>
  ))
}

/** Renders its content when it is opened. */
const Disclosure = ({ children, summary }: { readonly summary: string; readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children : null}
    </details>
  )
}
