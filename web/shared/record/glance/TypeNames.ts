import { wordsFor } from "../../../../src/domain/ResourceTypeWords.ts"

/** Names that the record's page gives to types, as its cards have them. */
const own: Readonly<Record<string, string>> = {
  Condition: "Problems",
  MedicationRequest: "Medications",
  Observation: "Results and vital signs"
}

/** Names types in plain words, each with a capital: `Problems`, `Care plans`. */
export const typeNames = (types: ReadonlyArray<string>): ReadonlyArray<string> =>
  types.map((type) => own[type] ?? wordsFor(type))

/** A name within a sentence. */
export const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)
