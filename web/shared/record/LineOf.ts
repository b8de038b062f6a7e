import { withoutKinds } from "../../../src/clinical/ConceptKinds.ts"
import type { KeptItem } from "../../../src/clinical/GlanceCards.ts"
import type { Summary } from "../../../src/clinical/Row.ts"
import { folded } from "./Folded.ts"
import { canBeActive, type Kind } from "./items/Kinds.ts"
import type { Line } from "./Messages.ts"

export const kindOf = ({ entry: { reference, section } }: Summary): Kind =>
  reference.startsWith("Patient/") ? "patient" : section

/** The line of an item in the table of all items. */
export const lineOf = ({ key, summary }: KeptItem, how: Line["how"], id: Line["id"]): Line => {
  const { entry: { clinicalDate, date, section, standing }, flags, status } = summary
  const title = withoutKinds(summary.title)
  const value = summary.value === null ? null : withoutKinds(summary.value)
  return {
    key,
    id,
    title,
    value,
    status,
    flags,
    kind: kindOf(summary),
    how,
    date,
    // An item of a type without dates matches every day, but its row says "No date".
    days: clinicalDate === null || date === "" ? null : [clinicalDate.first, clinicalDate.last],
    isActive: canBeActive(section) && standing !== null && standing !== "other" && standing !== "supplied",
    folded: folded(`${title}\n${value ?? ""}`)
  }
}
