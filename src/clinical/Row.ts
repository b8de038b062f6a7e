import type { ClinicalDate } from "./ClinicalDate.ts"
import type { Measurement } from "./Measurement.ts"

/**
 * A FHIR R4 record as a clinician reads it: sections of groups of rows, with one row for each resource. A release's
 * pages, the provider's portal and the veteran's app each have their own layout of these rows.
 */

export type SectionType =
  | "allergies"
  | "problems"
  | "medications"
  | "immunizations"
  | "laboratory"
  | "vital-signs"
  | "observations"
  | "procedures"
  | "encounters"
  | "care"
  | "devices"
  | "coverage"
  | "documents"
  | "other"

/** A text with its label: `Onset`, `2019-03`. */
export interface Labelled {
  readonly label: string
  readonly text: string
}

/** A document inside a resource. It is offered as a file and never opened in place. `base64` is as it was sent. */
export interface InlineFile {
  readonly title: string
  readonly contentType: string | null
  readonly base64: string
}

/** One resource. Its texts are null rather than empty. */
export interface Row {
  readonly title: string
  /** The code behind the title: `LOINC 2339-0`. */
  readonly code: string | null
  readonly status: string | null
  /** The dates as recorded, the clinical date first. */
  readonly dates: ReadonlyArray<Labelled>
  /** All other facts. A result's `Value`, `Reference range` and `Interpretation` come first. */
  readonly details: ReadonlyArray<Labelled>
  /** Short words that must not be overlooked: `High`, `Entered in error`, `Severe`. */
  readonly flags: ReadonlyArray<string>
  /** `Type/id`. */
  readonly reference: string
  readonly files: ReadonlyArray<InlineFile>
}

/**
 * How an allergy, a problem or a medication counts: `active` items are counted, `unconfirmed`, `waiting` and `unknown`
 * ones follow them, and `absent` ones state that there is nothing. A vaccine's `reaction` belongs to the allergies. A
 * medication that was `supplied` was dispensed or given.
 */
export type Standing = "active" | "unconfirmed" | "waiting" | "unknown" | "absent" | "reaction" | "supplied" | "other"

/** Where a resource is shown. It is small enough to keep for every item of the largest record. */
export interface Entry {
  readonly reference: string
  readonly section: SectionType
  /** Sorts the groups of a section. Rows with the same value are in one group. */
  readonly group: string
  /** The group's heading, or null if its rows need none. */
  readonly groupTitle: string | null
  /** The clinical date for sorting. The newest comes first, and resources without a date come last. */
  readonly date: string
  /** The text that other resources show when they refer to this one. */
  readonly title: string
  /** True if the title was made up, because the resource has no name. */
  readonly isStandIn: boolean
  /** Null for items other than allergies, problems, medications and vaccines with a reaction. */
  readonly standing: Standing | null
}

export interface Summary {
  readonly entry: Entry & { readonly clinicalDate: ClinicalDate | null }
  /** Equal for two resources that say the same. It is null for a resource that is not compared. */
  readonly sameAs: string | null
  readonly title: string
  /** False if the title needs the title of another resource, and `titleOf` has none. */
  readonly isNamed: boolean
  readonly status: string | null
  /** The most telling detail: a result's value, a dose, a reaction. */
  readonly value: string | null
  /** The first date of the row. */
  readonly when: Labelled | null
  /** The reference range of a result. */
  readonly range: string | null
  readonly flags: ReadonlyArray<string>
  readonly measurement: Measurement | null
}

export interface Group {
  readonly title: string | null
  readonly rows: ReadonlyArray<Row>
}

export interface Section {
  readonly type: SectionType
  readonly title: string
  /** One sentence for each of the section's resource types whose data may be incomplete. */
  readonly completeness: ReadonlyArray<string>
  readonly groups: ReadonlyArray<Group>
}
