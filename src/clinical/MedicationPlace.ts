import { isAbsence } from "./Absence.ts"
import { text } from "./Members.ts"
import type { Place } from "./Reader.ts"
import type { Standing } from "./Row.ts"

const group = (group: string, groupTitle: string, standing: Standing = "other"): Place => ({
  section: "medications",
  group,
  groupTitle,
  standing
})
const absent = group("0", "Statements", "absent")
const active = group("1", "Active", "active")
const forbidden = group("1 not", "Not to be given", "waiting")
const waiting = group("2", "On hold or planned", "waiting")
const unknown = group("3", "Status not known", "unknown")
const ended = group("4", "Completed, stopped or cancelled")
const dispensed = group("5", "Dispensing")
const administered = group("6", "Administration")
const mistaken = group("7", "Entered in error")

const places: ReadonlyMap<string, Place> = new Map([
  ["active", active],
  ["in-progress", active],
  ["draft", waiting],
  ["intended", waiting],
  ["on-hold", waiting],
  ["preparation", waiting],
  ["cancelled", ended],
  ["completed", ended],
  ["not-taken", ended],
  ["stopped", ended],
  ["entered-in-error", mistaken]
])

/** The group of a request or a statement. Medications taken now come first, whether requested or stated. */
export const medicationPlace = (status: unknown, medication?: unknown): Place => {
  const place = places.get(text(status) ?? "") ?? unknown
  return (place === active || place === unknown) && isAbsence(medication) ? absent : place
}

/** An active order not to give a medication, or a mere proposal, must not be counted as a medication taken now. */
export const requestPlace = (place: Place, intent: unknown, isForbidden: boolean): Place => {
  if (place !== active && place !== unknown) return place
  if (isForbidden) return forbidden
  return place === active && (text(intent) === "proposal" || text(intent) === "option") ? waiting : place
}

/** A completed dispense or administration is shown at `own`, because the patient may still take the medication. */
const eventPlace = (status: unknown, own: Place) => {
  const place = medicationPlace(status)
  return place === ended || place === unknown ? own : place
}

/** A dispense never counts as a medication, because its request is one already. */
export const dispensePlace = (status: unknown): Place => ({
  ...eventPlace(status, dispensed),
  standing: suppliedBy(status)
})

export const administrationPlace = (status: unknown): Place => {
  const place = eventPlace(status, administered)
  return place === administered ? { ...place, standing: suppliedBy(status) } : place
}

/** A dispense that is not completed may never reach the patient. An administration in progress counts as active. */
const suppliedBy = (status: unknown): Standing => text(status) === "completed" ? "supplied" : "other"
