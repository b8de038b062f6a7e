import { text } from "./Members.ts"

/** A code or a FHIR name in plain words: `not-done` is `Not done`, `CarePlan` is `Care plan`, `birthDate` is `Birth date`. */
export const words = (name: string): string => {
  const [first = "", ...rest] = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").split(
    /[-_\s]+/
  )
  return [first.charAt(0).toUpperCase() + first.slice(1),
    ...rest.map((word) => /^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)]
    .join(" ")
}

/** A code of FHIR's own in plain words; a text that is none stands as it was sent. */
export const codeWords = (json: unknown): string | null => {
  const code = text(json)
  return code !== null && /^[a-z]+(?:-[a-z]+)*$/i.test(code) ? words(code) : code
}
