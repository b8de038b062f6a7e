import type { TitleOf } from "./Reference.ts"
import type { Entry, InlineFile, Labelled } from "./Row.ts"

/** A resource to be read. */
export interface Source {
  readonly resourceType: string
  /** As `ExactJson.ts` parsed it: it, and each member of it, may be anything. */
  readonly json: unknown
  readonly titleOf: TitleOf
}

/** Where a resource stands. `group` orders the groups of a section; what stands behind a tab in it says only which group it is. */
export type Place = Pick<Entry, "section" | "group" | "groupTitle">

/** What a row shows beside its title; what is left out, it has not. */
export interface Parts {
  readonly code?: string | null
  readonly status?: string | null
  /** The clinical date first. */
  readonly dates?: ReadonlyArray<Labelled>
  readonly details?: ReadonlyArray<Labelled>
  /** `Reading.ts` adds to every row what any resource may be marked with, such as `Entered in error`. */
  readonly flags?: ReadonlyArray<string>
  readonly files?: ReadonlyArray<InlineFile>
}

/** Reads resources of a type. None of the functions may throw. `Reading.ts` cuts texts that are too long. */
export interface Reader {
  readonly place: (source: Source) => Place
  /** Null: the type's own name has to do. */
  readonly title: (source: Source) => string | null
  /** What other resources show where they refer to this one, when that is more than the title: `Glucose: 5.40 mmol/L`. */
  readonly mention?: (source: Source) => string | null
  readonly parts: (source: Source) => Parts
}
