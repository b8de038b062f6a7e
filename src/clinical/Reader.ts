import { type Members, members } from "./Members.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry, InlineFile, Labelled, Standing } from "./Row.ts"

export interface Source {
  readonly resourceType: string
  /** The value that `ExactJson.ts` parsed. It and its members may have any type. */
  readonly json: unknown
  readonly titleOf: TitleOf
}

/** The place of a resource. `group` sorts the groups; if it contains a tab, only the text after it identifies them. */
export interface Place extends Pick<Entry, "section" | "group" | "groupTitle"> {
  readonly standing?: Standing | null
}

/** The parts of a row besides its title. Each may be absent. */
export interface Parts {
  readonly code?: string | null
  readonly status?: string | null
  /** The clinical date comes first. */
  readonly dates?: ReadonlyArray<Labelled>
  readonly details?: ReadonlyArray<Labelled>
  /** Marks specific to the type. `Modifiers.ts` adds those of any resource, such as `Entered in error`. */
  readonly flags?: ReadonlyArray<string>
  /** What a list shows beside the title, if no detail tells it. */
  readonly telling?: string | null
  readonly files?: ReadonlyArray<InlineFile>
  /** Facts besides title, code and flags that differ between resources which do not say the same. */
  readonly identity?: ReadonlyArray<string | null>
}

/** Reads resources of a type. Its functions must not throw. `Reading.ts` shortens long texts. */
export interface Reader {
  readonly place: (source: Source) => Place
  /** Returns null if the resource has no name. */
  readonly title: (source: Source) => string | null
  /** A title made from the content of a resource without a name. A reference's own display is a better one. */
  readonly standIn?: (source: Source) => string | null
  /** Other resources mention this one by this text: `Glucose: 5.40 mmol/L`. If it is absent, they use the title. */
  readonly mention?: (source: Source) => string | null
  /** Marks that a mention must not lose, such as `Critically high`. */
  readonly marks?: (source: Source) => ReadonlyArray<string>
  readonly parts: (source: Source) => Parts
}

/** The functions of a reader that get the resource first: its members, each of which may have any value. */
type TypedReader<T> = {
  readonly [Name in keyof Reader]: (
    resource: Members<T>,
    source: Source
  ) => ReturnType<Exclude<Reader[Name], undefined>>
}

/** Makes the reader of a type. Members of a resource that is no object are absent. */
export const typedReader = <T>(functions: TypedReader<T>): Reader =>
  Object.fromEntries(
    Object.entries(functions).map(([name, read]) => [name, (source: Source) => read(members<T>(source.json), source)])
  ) as unknown as Reader
