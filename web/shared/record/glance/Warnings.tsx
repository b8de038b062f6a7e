import type { Person } from "../../../../src/clinical/Person.ts"
import { ofAnotherWords } from "../../../../src/clinical/SamePerson.ts"
import { Notice } from "../../ui/Notice.tsx"
import { askingFor } from "../Deceased.ts"
import type { About } from "../Messages.ts"
import { warningsOf } from "./Completeness.ts"

/** What a reader must know before anything else: whose record it is, and what is not up to date. */
export const Warnings = ({ about, patient }: { readonly about: About; readonly patient: Person | null }) => {
  const warnings = warningsOf(about)
  const asking = askingFor(patient)
  return (
    <>
      {about.isOfAnother === true ? <Notice kind="warning">{ofAnotherWords}</Notice> : null}
      {warnings.length === 0 ? null : (
        <Notice kind="warning" title="Parts of this record are not up to date">
          <ul className="warnings">
            {warnings.map(({ names, text }) => (
              <li key={text}>
                <b>{names}</b> {asking(text)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
