import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react"
import type { InlineFile } from "../../../../src/clinical/Row.ts"
import { saveFile } from "../../SaveFile.ts"
import { Untrusted } from "../../ui/Untrusted.tsx"
import { recordedDays } from "../ClinicalDays.ts"
import type { Item } from "../Messages.ts"
import type { OpenRecord } from "../OpenRecord.ts"
import { Fact } from "./Fact.tsx"
import { FhirSource } from "./FhirSource.tsx"
import { Flags } from "./Flags.tsx"
import { kindWords } from "./Kinds.ts"
import { unitsInWords } from "./Units.ts"

const ItemTrend = lazy(() =>
  import("./ItemTrend.tsx").catch(() => ({ default: () => <p className="soft">The trend could not be drawn now.</p> }))
)

const mistake = "Entered in error"

/** One item with all its details. It takes the focus; Escape closes it. */
export const ItemDetail = ({ of, onClose, record }: {
  readonly of: number
  readonly record: OpenRecord
  readonly onClose: () => void
}) => {
  const [item, setItem] = useState<Item>()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    let awaited = true
    void record.item(of).then((item) => awaited ? setItem(item) : undefined)
    return () => {
      awaited = false
    }
  }, [record, of])
  const isThere = item !== undefined
  useEffect(() => {
    if (isThere) heading.current?.focus()
  }, [isThere])
  if (item === undefined) return <section className="detail card" aria-busy="true" />
  const { kind, narrative, row, trend } = item
  const flags = row.flags.filter((flag) => flag !== mistake)
  const isMistake = row.flags.includes(mistake)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the section, wherever in it the focus is
    <section
      className="detail card stack tight"
      aria-labelledby={id}
      onKeyDown={({ key }) => key === "Escape" ? onClose() : undefined}
    >
      <div className="row between">
        <h3 id={id} ref={heading} tabIndex={-1} dir="auto">{isMistake ? <s>{row.title}</s> : row.title}</h3>
        <button type="button" className="link" onClick={onClose}>Close</button>
      </div>
      {isMistake ? <p className="nothing alarming">Marked as an error by the source.</p> : null}
      {flags.length === 0 ? null : (
        <p className="row">
          <Flags of={flags} />
        </p>
      )}
      <dl className="item-facts">
        <Fact name="Kind">{kindWords(kind)}</Fact>
        {row.dates.map(({ label, text }) => <Fact key={label} name={label}>{recordedDays(text)}</Fact>)}
        {row.status === null ? null : <Fact name="Status">{row.status}</Fact>}
        {row.details.map(({ label, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- labels may come twice, and the list never changes
          <Fact key={index} name={label} strong={label === "Value"}>
            {label === "Value" || label === "Reference range" ? unitsInWords(text) : text}
          </Fact>
        ))}
        {row.code === null ? null : <Fact name="Code">{row.code}</Fact>}
      </dl>
      {row.files.length === 0 ? null : (
        <ul className="glance-list" aria-label="Files">
          {row.files.map((file, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- files have no other name, and the list never changes
            <li key={index}>
              <button type="button" className="link" onClick={() => save(file)}>
                Download <bdi>{file.title}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      {trend === null ? null : (
        <Suspense fallback={<p className="soft" role="status">Drawing the trend</p>}>
          <ItemTrend trend={trend} title={row.title} />
        </Suspense>
      )}
      {narrative === null ? null : (
        <Disclosure summary="Show the text that the source wrote">
          <Untrusted source={narrative} title={`Text of ${row.title}`} />
        </Disclosure>
      )}
      <Disclosure summary="Show the FHIR source">
        <FhirSource record={record} of={of} />
      </Disclosure>
    </section>
  )
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

/** Saves the bytes that base64 text stands for; line breaks are ignored. Any other text is saved as it was sent. */
const save = ({ base64, title }: InlineFile) => {
  const saved = (bytes: Uint8Array<ArrayBuffer>) => saveFile(bytes, title)
  try {
    saved(Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (letter) => letter.charCodeAt(0)))
  } catch {
    saved(new TextEncoder().encode(base64))
  }
}
