import { useEffect, useRef, useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { addressOf } from "../Route.ts"
import { endingSoon, type Share } from "./Share.ts"

/** Lines shown before the reader asks for more. */
const step = 100

export const PatientTable = (
  { now, shares }: { readonly shares: ReadonlyArray<Share>; readonly now: Date }
) => {
  const [shown, setShown] = useState(step)
  const body = useRef<HTMLTableSectionElement>(null)
  // The focus moves to the first new line.
  useEffect(() => {
    if (shown > step) body.current?.rows[shown - step]?.querySelector("a")?.focus()
  }, [shown])
  return (
    <>
      <table className="usa-table patients">
        <caption className="spoken">Patients, by call sign</caption>
        <thead>
          <tr>
            <th scope="col">Patient</th>
            <th scope="col">Shared until</th>
            <th scope="col">For</th>
            <th scope="col">Record</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {shares.slice(0, shown).map((share) => (
            <tr key={share.veteranId}>
              <th scope="row">
                <a href={addressOf({ screen: "record", veteranId: share.veteranId })}>{share.callSign}</a>
              </th>
              <td>
                <span className="patients-label">Shared until</span>
                <span className="row">
                  {dayWords(share.until)} <Ending words={endingSoon(share, now)} />
                </span>
              </td>
              <td>
                <span className="patients-label">For</span>
                {share.purposes.join("; ")}
              </td>
              <td>{share.warnings === undefined ? null : <Tag kind="warn">{share.warnings}</Tag>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown < shares.length
        ? (
          <div className="actions">
            <Button kind="outline" onClick={() => setShown(shown + step)}>
              Show {Math.min(step, shares.length - shown)} more
            </Button>
          </div>
        )
        : null}
    </>
  )
}

const Ending = ({ words }: { readonly words: string | undefined }) =>
  words === undefined ? null : <Tag kind="warn">{words}</Tag>
