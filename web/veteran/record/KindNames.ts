import { cardTypeWords } from "../../shared/language/Names.ts"
import type { Kind, KindFilter } from "../../shared/record/items/Kinds.ts"
import { recordWords } from "../../shared/record/RecordLanguage.ts"
import { ownWords } from "./Words.ts"

/** The name of a kind of items for the veteran. */
export const kindName = (kind: KindFilter): string => ownWords().kinds[kind] ?? recordWords().kinds[kind]

/** The kinds with a list. The address names them. */
export const listedKinds: ReadonlyArray<KindFilter> = [
  "all",
  "allergies",
  "medications",
  "problems",
  "results",
  "laboratory",
  "vital-signs",
  "observations",
  "immunizations",
  "documents",
  "procedures",
  "encounters",
  "care",
  "devices",
  "coverage",
  "patient",
  "other"
]

/** The types whose states stand above the list of a kind. The first one must be there. */
export const typesOf: Readonly<Partial<Record<KindFilter, readonly [string, ...Array<string>]>>> = {
  allergies: ["AllergyIntolerance"],
  medications: ["MedicationRequest", "MedicationStatement", "MedicationDispense", "MedicationAdministration"],
  problems: ["Condition"],
  results: ["Observation", "DiagnosticReport"],
  laboratory: ["Observation", "DiagnosticReport"],
  "vital-signs": ["Observation"],
  observations: ["Observation"],
  immunizations: ["Immunization"],
  documents: ["DocumentReference"],
  procedures: ["Procedure"],
  encounters: ["Encounter"]
}

/** The name of a resource type, as the veteran sees it. */
export const typeNameOf = (type: string): string =>
  type === "Immunization" ? kindName("immunizations") : cardTypeWords(type)

/** The kinds of `Everything else`. */
export const elseKinds: ReadonlyArray<Kind> = ["encounters", "care", "devices", "coverage", "patient", "other"]
