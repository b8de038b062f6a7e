import { useEffect, useRef, useState } from "react"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { addressOf } from "../Route.ts"
import { endingSoon, identityOf, nameOf, type Share } from "./Share.ts"

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
        <caption className="spoken">Patients, by name</caption>
        <thead>
          <tr>
            <th scope="col">Patient</th>
            <th scope="col">Shared until</th>
            <th scope="col">For</th>
            <th scope="col">You last looked</th>
            <th scope="col">Record</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {shares.slice(0, shown).map((share) => <PatientRow key={share.veteranId} share={share} now={now} />)}
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

const PatientRow = ({ now, share }: { readonly share: Share; readonly now: Date }) => {
  const ending = endingSoon(share, now)
  return (
    <tr>
      <th scope="row">
        <a href={addressOf({ screen: "record", veteranId: share.veteranId })}>
          <bdi>{nameOf(share)}</bdi>
        </a>
        {identityOf(share).map((text) => <span key={text} className="patients-identity" dir="auto">{text}</span>)}
      </th>
      <td>
        <span className="patients-label">Shared until</span>
        <span className="row">
          {dayWords(share.until)} {ending === undefined ? null : <Tag kind="warn">{ending}</Tag>}
        </span>
      </td>
      <td>
        <span className="patients-label">For</span>
        {share.purposes.join("; ")}
      </td>
      <td>
        <span className="patients-label">You last looked</span>
        <span className="row">
          {share.lastLookedAt === null ? "Not yet" : timeWords(share.lastLookedAt, now)}{" "}
          {share.isNew ? <Tag kind="good">New since you last looked</Tag> : null}
        </span>
      </td>
      <td>
        {share.warnings.length === 0
          ? null
          : <span className="row">{share.warnings.map((words) => <Tag key={words} kind="warn">{words}</Tag>)}</span>}
      </td>
    </tr>
  )
}
