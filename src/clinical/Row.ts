import type { Measurement } from "./Measurement.ts"

/**
 * How a clinician reads a FHIR R4 record: sections of groups of rows, in which every resource has one row. What shows them
 * decides how they look: the pages of a release, the provider's portal, the veteran's app.
 */

/** The sections in their order. */
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

/** A text with the word for what it is: `Onset`, `2019-03`. */
export interface Labelled {
  readonly label: string
  readonly text: string
}

/** A document inside a resource. It is offered as a file, and never opened in place. `base64` is as it was sent. */
export interface InlineFile {
  readonly title: string
  readonly contentType: string | null
  readonly base64: string
}

/** One resource. No text of it is empty. */
export interface Row {
  readonly title: string
  /** The code behind the title: `LOINC 2339-0`. */
  readonly code: string | null
  /** In plain words. */
  readonly status: string | null
  /** As they were recorded, the clinical date first. */
  readonly dates: ReadonlyArray<Labelled>
  /** What else there is: of a result `Value`, `Reference range` and `Interpretation` come first. */
  readonly details: ReadonlyArray<Labelled>
  /** Short words that must not be overlooked: `High`, `Entered in error`, `Severe`. */
  readonly flags: ReadonlyArray<string>
  /** `Type/id`. */
  readonly reference: string
  readonly files: ReadonlyArray<InlineFile>
}

/** What the place of a resource needs, small enough to keep for every item of the largest record. */
export interface Entry {
  readonly reference: string
  readonly section: SectionType
  /** Rows of one group stand together; groups are ordered by this. */
  readonly group: string
  /** Null: the section's rows stand without a heading of their own. */
  readonly groupTitle: string | null
  /** The clinical date as it sorts; the newest comes first, and what has none comes last. */
  readonly date: string
  /** What another resource shows where it refers to this one. */
  readonly title: string
}

/** One line of a list of the whole record. */
export interface Summary {
  readonly entry: Entry
  readonly title: string
  /** False: what names it is another resource, which is not there, or not yet. */
  readonly isNamed: boolean
  readonly status: string | null
  /** What says most of it: a result's value, a dose, a reaction. */
  readonly value: string | null
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
  /** One sentence for each type of it that is not known to be complete. */
  readonly completeness: ReadonlyArray<string>
  readonly groups: ReadonlyArray<Group>
}
