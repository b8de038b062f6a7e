import { dayWords } from "../../shared/Dates.ts"
import { usePrinting } from "../../shared/Printing.ts"

const time = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" })

/** In print: when and by whom the record was printed, and until when it is shared. */
export const PrintedBy = ({ done, expiresAt, name }: {
  readonly name: string
  readonly expiresAt: string
  /** True if every item had arrived. */
  readonly done: boolean
}) => {
  const printing = usePrinting()
  if (printing === undefined) return null
  return (
    <p>
      Printed {time.format(printing)} by {name}; shared until {dayWords(new Date(expiresAt))}.
      {done ? "" : " Items were still loading."}
    </p>
  )
}
