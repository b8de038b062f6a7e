import { namesIn, namesOf } from "../domain/FhirReference.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry } from "./Row.ts"

/** Finds titles by type and id. It also finds them by the id alone, because a bundle's URNs contain only the id. */
export const titlesOf = (entries: Iterable<Pick<Entry, "reference" | "title">>): TitleOf => {
  const titles = new Map<string, string | undefined>()
  for (const { reference, title } of entries) {
    const [type, id] = reference.split("/", 2)
    const [name, idAlone] = namesOf(type!, id!)
    titles.set(name, title)
    // If resources of two types have the same id, the id alone identifies neither.
    titles.set(idAlone, titles.has(idAlone) ? undefined : title)
  }
  return (reference) => {
    for (const name of namesIn(reference)) {
      const title = titles.get(name)
      if (title !== undefined) return title
    }
    return undefined
  }
}
