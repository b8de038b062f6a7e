import type { Person } from "../../../src/clinical/Person.ts"
import { dayWords } from "../../shared/Dates.ts"
import { usePrinting } from "../../shared/Printing.ts"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import type { About } from "../../shared/record/Messages.ts"

const time = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" })

/**
 * The head of each printed sheet: the patient's name and birth date, so that no sheet goes into a wrong chart, and who
 * printed it. The style repeats it on every sheet.
 */
export const PrintedBy = ({ about: { callSign, expiresAt }, done, name, patient }: {
  readonly about: About
  readonly patient: Person | null
  /** The name of the provider who prints. */
  readonly name: string
  /** True if every item had arrived. */
  readonly done: boolean
}) => {
  const printing = usePrinting()
  if (printing === undefined) return null
  return (
    <div className="sheet-head">
      <p>
        <b>
          {patient?.name ? <bdi>{patient.name}</bdi> : (
            <>
              Call sign <bdi>{callSign}</bdi>
            </>
          )}, {patient?.born ? `born ${recordedDay(patient.born)}` : "no birth date in this record"}
        </b>
      </p>
      <p>
        Printed {time.format(printing)} by {name}; shared until {dayWords(new Date(expiresAt))}.
        {done ? "" : " Items were still loading."}
      </p>
    </div>
  )
}
