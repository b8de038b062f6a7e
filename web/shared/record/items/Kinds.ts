import type { SectionType } from "../../../../src/clinical/Row.ts"

/** The kinds of lines: those of the record's items, and what the patient and the provider wrote. */
export type Kind = SectionType | "patient" | OwnKind

export type OwnKind = "from-the-patient" | "shared-documents" | "notes"

/** The names of the kinds of items, in the order of their buttons. */
export const kinds: ReadonlyArray<readonly [kind: Kind, words: string]> = [
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
  ["patient", "About the patient"],
  ["other", "Other"],
  ["from-the-patient", "From the patient"],
  ["shared-documents", "Documents"],
  ["notes", "Notes"]
]

const words = new Map(kinds)

export const kindWords = (kind: Kind) => words.get(kind)!

const order = new Map(kinds.map(([kind], index) => [kind, index]))

export const compareKinds = (a: Kind, b: Kind) => order.get(a)! - order.get(b)!

/** The table's filter: one kind, or all results of the first glance, which are of several kinds. */
export type KindFilter = Kind | "results" | "all"

const results: ReadonlyArray<Kind> = ["laboratory", "vital-signs", "observations"]

export const isOfKind = (kind: Kind, filter: KindFilter) =>
  filter === "all" || kind === filter || (filter === "results" && results.includes(kind))

export const filterKindWords = (kind: Exclude<KindFilter, "all">) =>
  kind === "results" ? "Results and vital signs" : kindWords(kind)

const lasting: ReadonlyArray<KindFilter> = ["all", "allergies", "problems", "medications"]

/** Whether items of the kind can be active or past. */
export const canBeActive = (kind: KindFilter) => lasting.includes(kind)
