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

/** `usual` and `official` identifiers need no remark. */
const uses: ReadonlyMap<string, string> = new Map([["old", "old"], ["secondary", "secondary"], ["temp", "temporary"]])

/** The value, preceded by its type or, without a type, by its system: `Medical record number 12345`. */
export const identifier = (json: unknown): string | null => {
  const { system, type, use, value } = members<Identifier>(json)
  const name = text(system)
  const remark = uses.get(text(use) ?? "")
  return text(json) ??
    (text(value) &&
      joined([wordsOf(type, types) ?? (name && systemName(name)), text(value), remark && `(${remark})`], " "))
}
