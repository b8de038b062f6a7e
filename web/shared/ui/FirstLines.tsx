import { type ReactNode, useState } from "react"
import { usePrinting } from "../Printing.ts"

/** The first lines of a list, with a button that shows the others. Paper has them all. */
export const FirstLines = <Line extends { readonly id: string }>({ all, children, few, of }: {
  readonly of: ReadonlyArray<Line>
  readonly few: number
  /** The words of the button. */
  readonly all: string
  readonly children: (line: Line) => ReactNode
}) => {
  const [isAsked, setAsked] = useState(false)
  const isPrinted = usePrinting() !== undefined
  const isWhole = isAsked || isPrinted || of.length <= few
  return (
    <>
      <ul className="glance-list">
        {(isWhole ? of : of.slice(0, few)).map((line) => <li key={line.id}>{children(line)}</li>)}
      </ul>
      {isWhole ? null : <button type="button" className="link" onClick={() => setAsked(true)}>{all}</button>}
    </>
  )
}
