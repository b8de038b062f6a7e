import { text } from "./Members.ts"
import type { Place } from "./Reader.ts"

const group = (group: string, groupTitle: string): Place => ({ section: "medications", group, groupTitle })
const active = group("1", "Active")
const waiting = group("2", "On hold or planned")
const unknown = group("3", "Status not known")
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
export const medicationPlace = (status: unknown): Place => places.get(text(status) ?? "") ?? unknown

/** A completed dispense or administration is shown at `own`, because the patient may still take the medication. */
const eventPlace = (status: unknown, own: Place) => {
  const place = medicationPlace(status)
  return place === ended || place === unknown ? own : place
}

export const dispensePlace = (status: unknown): Place => eventPlace(status, dispensed)

export const administrationPlace = (status: unknown): Place => eventPlace(status, administered)
