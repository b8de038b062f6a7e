import type { About, Failure, Progress, RecordGlance } from "../Messages.ts"
import { type Stand, worstOf } from "./Completeness.ts"

/** Whether a card's items are loading, failed to load, or are all there. */
export type Coming = "loading" | "failed" | "there"

/** How far a card can be relied on. */
export interface CardState {
  readonly stand: Stand
  readonly coming: Coming
}

export type CardStates = Readonly<Record<"allergies" | "problems" | "medications" | "results", CardState>>

/** What has been read of a record. */
export interface ReadSoFar {
  readonly glance: RecordGlance | undefined
  readonly progress: Progress
  readonly failure: Failure | undefined
}

export const cardStatesOf = (about: About, read: ReadSoFar): CardStates => ({
  allergies: {
    stand: worstOf(about, ["AllergyIntolerance"]),
    coming: comingOf(about, read, "AllergyIntolerance", "Immunization")
  },
  problems: { stand: worstOf(about, ["Condition"]), coming: comingOf(about, read, "Condition") },
  medications: {
    stand: worstOf(about, ["MedicationRequest", "MedicationStatement"]),
    coming: comingOf(
      about,
      read,
      "Medication",
      "MedicationRequest",
      "MedicationStatement",
      "MedicationDispense",
      "MedicationAdministration"
    )
  },
  results: { stand: worstOf(about, ["Observation"]), coming: comingOf(about, read, "Observation") }
})

export const comingOf = (
  { sections }: About,
  { failure, progress: { whole } }: ReadSoFar,
  ...types: ReadonlyArray<string>
): Coming =>
  types.every((type) => whole.includes(type) || sections.every(({ resourceType }) => resourceType !== type))
    ? "there"
    : failure === undefined
    ? "loading"
    : "failed"
