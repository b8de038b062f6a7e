import { askingFor } from "./Deceased.ts"
import { comingOf, type ReadSoFar } from "./glance/CardStates.ts"
import type { About } from "./Messages.ts"

/**
 * Says which of the two identifiers the record lacks, or null. A reader must know two before acting (Joint Commission,
 * NPSG.01.01.01).
 */
export const missingIdentity = (about: About, read: ReadSoFar): string | null => {
  if (comingOf(about, read, "Patient") !== "there") return null
  const patient = read.glance?.patient ?? null
  const people = about.sections.find(({ resourceType }) => resourceType === "Patient")?.itemCount ?? 0
  const missing = [...(patient?.name ? [] : ["name"]), ...(patient?.born ? [] : ["birth date"])]
  if (missing.length === 0) return null
  const found = people > 1 ? "This record names more than one person." : `This record gives no ${missing.join(" or ")}.`
  return askingFor(patient)(`${found} Make sure with the patient that it is theirs.`)
}
