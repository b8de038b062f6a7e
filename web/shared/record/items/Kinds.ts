import type { SectionType } from "../../../../src/clinical/Row.ts"

/** The kinds of lines: those of the record's items, and what the patient and the provider wrote. */
export type Kind = SectionType | "patient" | OwnKind

export type OwnKind = "from-the-patient" | "shared-documents" | "notes"

/** The kinds of items, in the order of their buttons. Their names are among the record's words. */
export const kinds: ReadonlyArray<Kind> = [
  "allergies",
  "problems",
  "medications",
  "laboratory",
  "vital-signs",
  "observations",
  "immunizations",
  "procedures",
  "documents",
  "encounters",
  "care",
  "devices",
  "coverage",
  "patient",
  "other",
  "from-the-patient",
  "shared-documents",
  "notes"
]

const order = new Map(kinds.map((kind, index) => [kind, index]))

export const compareKinds = (a: Kind, b: Kind) => order.get(a)! - order.get(b)!

/** The table's filter: one kind, or all results of the first glance, which are of several kinds. */
export type KindFilter = Kind | "results" | "all"

const results: ReadonlyArray<Kind> = ["laboratory", "vital-signs", "observations"]

export const isOfKind = (kind: Kind, filter: KindFilter) =>
  filter === "all" || kind === filter || (filter === "results" && results.includes(kind))

const lasting: ReadonlyArray<KindFilter> = ["all", "allergies", "problems", "medications"]

/** Whether items of the kind can be active or past. */
export const canBeActive = (kind: KindFilter) => lasting.includes(kind)
