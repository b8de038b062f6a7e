import type { Alert } from "./Alert.ts"
import { wordsFor } from "./ResourceTypeWords.ts"
import type { SyncState } from "./SyncState.ts"

/** How far the items of a type can be relied on, from best to worst. */
export const standings = ["none", "current", "late", "old", "incomplete", "outside", "missing"] as const

export type Standing = typeof standings[number]

/** What a record says of its types. */
export interface RecordStates {
  /** True for a signed release: it has the types that were chosen, and says nothing of the others. */
  readonly isRelease?: boolean
  readonly alerts: ReadonlyArray<Pick<Alert, "resourceType" | "code">>
  readonly sections: ReadonlyArray<
    { readonly resourceType: string; readonly state: SyncState; readonly itemCount: number }
  >
}

/** A type that a reader must not rely on. */
export interface Gap {
  readonly resourceType: string
  readonly standing: Exclude<Standing, "none" | "current">
}

/**
 * A first glance without these types misleads. If one of them was not loaded, every reader is told so, even if the
 * grant leaves it out.
 */
const expectedTypes = ["AllergyIntolerance", "MedicationRequest", "Condition"]

const byAlert = {
  record_incomplete: "incomplete",
  record_stale: "old",
  last_fetch_incomplete: "late"
} as const

export const standingOf = ({ alerts, isRelease, sections }: RecordStates, resourceType: string): Standing => {
  const section = sections.find((one) => one.resourceType === resourceType)
  if (section === undefined && isRelease === true) return "outside"
  if (section === undefined || section.state === "unknown") return "missing"
  const alert = alerts.find((one) => one.resourceType === resourceType)
  if (alert !== undefined) return byAlert[alert.code]
  return section.itemCount === 0 ? "none" : "current"
}

/** The list of patients and the record's page both warn by this function. Expected types come first. */
export const gapsOf = (record: RecordStates): ReadonlyArray<Gap> => {
  const types = record.sections.map(({ resourceType }) => resourceType).sort()
  return [...new Set([...expectedTypes, ...types])].flatMap((resourceType) => {
    const standing = standingOf(record, resourceType)
    return standing === "none" || standing === "current" ? [] : [{ resourceType, standing }]
  })
}

/** Names that readers of a record see, as the cards of the first glance have them. */
const cardNames: Readonly<Record<string, string>> = {
  Condition: "Problems",
  MedicationRequest: "Medications",
  Observation: "Results and vital signs"
}

/** Names a type in plain words with a capital: `Problems`, `Care plans`. */
export const typeName = (type: string): string => cardNames[type] ?? wordsFor(type)

/** The name of a type within a sentence. */
export const lowerTypeName = (type: string): string => {
  const name = typeName(type)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Names types at the beginning of a sentence. */
export const namesOf = (types: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(
    types.map((type, index) => index === 0 ? typeName(type) : lowerTypeName(type))
  )

/** A source that is read each week or more often stays "Up to date". An older update says its date. */
const recentDays = 7

export const isRecent = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) <= recentDays * 86_400_000

/** The state of a type in two or three words. */
export const standingTags: Readonly<Record<Standing, string>> = {
  none: "Up to date",
  current: "Up to date",
  late: "May be out of date",
  old: "May be out of date",
  incomplete: "Not complete",
  outside: "Not in this document",
  missing: "Not loaded"
}

/** What a reader must know of types in this state, after their names. `day` is that of the last complete update. */
export const warningWords = (standing: Standing, day: string | null): string => {
  switch (standing) {
    case "missing":
      return "were not loaded. This is not the same as “none.” Ask the patient."
    case "outside":
      return "are not in this document. This is not the same as “none.” Ask the patient."
    case "incomplete":
      return "are not complete. Do not read a missing item as “none.”"
    case "old":
      return day === null
        ? "may be out of date. The newest update did not finish. Ask the patient about changes."
        : `had their last complete update on ${day}. The newest update did not finish. Ask the patient about changes since then.`
    case "late":
      return "may miss the latest changes. The newest update did not finish."
    case "current":
    case "none":
      return "are up to date."
  }
}
