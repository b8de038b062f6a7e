import { text } from "./Members.ts"

/** No code of words and no FHIR name has more characters. */
const longest = 200

/**
 * A code or a FHIR name in plain words: `not-done` is `Not done`, `CarePlan` is `Care plan`, `birthDate` is `Birth date`. What is
 * too long to be either stands as it was sent.
 */
export const words = (name: string): string => {
  if (name.length > longest) return name
  const [first = "", ...rest] = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").split(
    /[-_\s]+/
  )
  return [first.charAt(0).toUpperCase() + first.slice(1),
    ...rest.map((word) => /^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)]
    .join(" ")
}

/** What goes without saying is left out: an order, of routine priority. */
export const unlessUsual = (usual: string, code: unknown): string | null =>
  text(code) === usual ? null : codeWords(code)

/** What `active` says that must not be overlooked (R4 makes it a modifier): that the entry may no longer be used. */
export const notInUse = (active: unknown): string | null => active === false ? "Not in use" : null

/** Codes that are no words as they are. */
const spelled: ReadonlyMap<string, string> = new Map([
  ["asap", "As soon as possible"],
  ["onleave", "On leave"],
  ["preparation", "In preparation"],
  ["remission", "In remission"],
  ["stat", "Immediately (stat)"]
])

/** A code of FHIR's own in plain words; a text that is none stands as it was sent. */
export const codeWords = (json: unknown): string | null => {
  const code = text(json)
  const known = spelled.get(code ?? "")
  if (known !== undefined) return known
  return code !== null && /^[a-z]+(?:-[a-z]+)*$/i.test(code) ? words(code) : code
}
