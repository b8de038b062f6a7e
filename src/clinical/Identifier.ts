import type { Identifier } from "fhir/r4.js"
import { systemName } from "./CodeSystem.ts"
import { wordsOf } from "./ConceptWords.ts"
import { joined, members, text } from "./Members.ts"

/** Codes of HL7 v2 table 0203, which are mostly sent without words. */
const types: ReadonlyMap<string, string> = new Map([
  ["DL", "Driver's license number"],
  ["MB", "Member number"],
  ["MR", "Medical record number"],
  ["NPI", "National provider identifier"],
  ["PPN", "Passport number"],
  ["SS", "Social Security number"]
])

/** The value, preceded by its type or, without a type, by its system: `Medical record number 12345`. */
export const identifier = (json: unknown): string | null => {
  const { system, type, value } = members<Identifier>(json)
  const name = text(system)
  return text(json) ?? (text(value) && joined([wordsOf(type, types) ?? (name && systemName(name)), text(value)], " "))
}
