import { namesIn, namesOf } from "../domain/FhirReference.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry } from "./Row.ts"

/** What the resources of a record are called where another refers to them, with their type or, as a bundle does, by their id alone. */
export const titlesOf = (entries: Iterable<Pick<Entry, "reference" | "title">>): TitleOf => {
  const titles = new Map<string, string | undefined>()
  for (const { reference, title } of entries) {
    const [type, id] = reference.split("/", 2)
    const [name, idAlone] = namesOf(type!, id!)
    titles.set(name, title)
    // Where two types have the same id, it alone names neither.
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
