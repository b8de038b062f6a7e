import { namesIn, namesOf } from "../domain/FhirReference.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry } from "./Row.ts"

/** Titles of a record's resources, by type and id, and by id alone, because a bundle's URNs contain only the id. */
export const titlesOf = (entries: Iterable<Titled & Pick<Entry, "reference">>): TitleOf => {
  const titles = new Map<string, Titled | undefined>()
  for (const entry of entries) {
    const [type, id] = entry.reference.split("/", 2)
    const [name, idAlone] = namesOf(type!, id!)
    titles.set(name, entry)
    // If resources of two types have the same id, the id alone identifies neither.
    titles.set(idAlone, titles.has(idAlone) ? undefined : entry)
  }
  return (reference, display) => {
    for (const name of namesIn(reference)) {
      const titled = titles.get(name)
      if (titled !== undefined) return nameOf(titled, display)
    }
    return undefined
  }
}

export interface Titled extends Pick<Entry, "title"> {
  readonly isStandIn?: boolean
}

/** The name that a reference's target has, else what the source calls it. */
export const nameOf = ({ isStandIn = false, title }: Titled, display: string | null = null): string =>
  isStandIn ? display ?? title : title
