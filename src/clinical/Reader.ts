import type { TitleOf } from "./Reference.ts"
import type { Entry, InlineFile, Labelled } from "./Row.ts"

export interface Source {
  readonly resourceType: string
  /** The value that `ExactJson.ts` parsed. It and its members may have any type. */
  readonly json: unknown
  readonly titleOf: TitleOf
}

/** `group` sorts the groups of a section. If it contains a tab, only the text after the tab identifies the group. */
export type Place = Pick<Entry, "section" | "group" | "groupTitle">

/** The parts of a row besides its title. Each may be absent. */
export interface Parts {
  readonly code?: string | null
  readonly status?: string | null
  /** The clinical date comes first. */
  readonly dates?: ReadonlyArray<Labelled>
  readonly details?: ReadonlyArray<Labelled>
  /** Marks specific to the type. `Reading.ts` adds the marks that any resource may have, such as `Entered in error`. */
  readonly flags?: ReadonlyArray<string>
  readonly files?: ReadonlyArray<InlineFile>
}

/** Reads resources of a type. Its functions must not throw. `Reading.ts` shortens long texts. */
export interface Reader {
  readonly place: (source: Source) => Place
  /** Returns null if only the type's name can be the title. */
  readonly title: (source: Source) => string | null
  /** Other resources mention this one by this text: `Glucose: 5.40 mmol/L`. If it is absent, they use the title. */
  readonly mention?: (source: Source) => string | null
  readonly parts: (source: Source) => Parts
}
