import type { SectionType } from "../../../src/clinical/Row.ts"

/** The names of the kinds of items, in the order of their buttons. */
export const kinds: ReadonlyArray<readonly [kind: SectionType, words: string]> = [
  ["allergies", "Allergies"],
  ["problems", "Problems"],
  ["medications", "Medications"],
  ["laboratory", "Lab results"],
  ["vital-signs", "Vital signs"],
  ["observations", "Other findings"],
  ["immunizations", "Immunizations"],
  ["procedures", "Procedures"],
  ["documents", "Reports and documents"],
  ["encounters", "Visits"],
  ["care", "Care plans and goals"],
  ["devices", "Devices"],
  ["coverage", "Coverage"],
  ["other", "Other"]
]

const words = new Map(kinds)

export const kindWords = (kind: SectionType) => words.get(kind)!

/** The table's filter: one kind, all kinds, or `results` for the kinds that the first glance shows as results. */
export type KindFilter = SectionType | "results" | "all"

const results: ReadonlyArray<SectionType> = ["laboratory", "vital-signs", "observations"]

export const isOfKind = (kind: SectionType, filter: KindFilter) =>
  filter === "all" || kind === filter || (filter === "results" && results.includes(kind))
