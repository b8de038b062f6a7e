import { text } from "./Members.ts"

/** Longest text that can be a code or a FHIR name, in characters. */
const maxLength = 200

/** `not-done` is `Not done`, `CarePlan` is `Care plan`, `birthDate` is `Birth date`. Long text stays as sent. */
export const words = (name: string): string => {
  if (name.length > maxLength) return name
  const [first = "", ...rest] = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").split(
    /[-_\s]+/
  )
  return [first.charAt(0).toUpperCase() + first.slice(1),
    ...rest.map((word) => /^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)]
    .join(" ")
}

/** Returns a code's words, or null for the code `usual`, which tells the reader nothing (for example `routine`). */
export const unlessUsual = (usual: string, code: unknown): string | null =>
  text(code) === usual ? null : codeWords(code)

/** An inactive entry must not be used any more. `active` is a modifier element in R4, so it must be shown. */
export const notInUse = (active: unknown): string | null => active === false ? "Not in use" : null

/** Words for codes that are not plain words themselves. */
const spelled: ReadonlyMap<string, string> = new Map([
  ["asap", "As soon as possible"],
  ["onleave", "On leave"],
  ["preparation", "In preparation"],
  ["remission", "In remission"],
  ["stat", "Immediately (stat)"]
])

/** A FHIR code in plain words. Any other text stays as it was sent. */
export const codeWords = (json: unknown): string | null => {
  const code = text(json)
  const known = spelled.get(code ?? "")
  if (known !== undefined) return known
  return code !== null && /^[a-z]+(?:-[a-z]+)*$/i.test(code) ? words(code) : code
}
