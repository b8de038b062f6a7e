import { codeText, codings } from "./Coding.ts"
import { each, list, members, text } from "./Members.ts"
import { codeWords } from "./Words.ts"

/** Whether a CodeableConcept, or a Coding, was sent with words. */
const hasWords = (json: unknown) =>
  text(members<{ readonly text: string }>(json).text) !== null ||
  codings(json).some(({ display }) => text(display) !== null)

/**
 * What a CodeableConcept of FHIR's own codes says: its words, else its code in plain words. A status is mostly sent as its code
 * alone; before R4 it was one.
 */
export const conceptWords = (json: unknown): string | null =>
  codeWords(json) ?? (hasWords(json) ? codeText(json) : each(codings(json).map(({ code }) => code), codeWords))

/** What was sent in words, else the words of a code that is known, else the code itself. */
export const wordsOf = (json: unknown, known: ReadonlyMap<string, string>): string | null =>
  hasWords(json)
    ? codeText(json)
    : codings(json).map(({ code }) => known.get(text(code) ?? "")).find((words) => words !== undefined) ??
      codeText(json)

/** Those that were sent with words; where none was, all. */
export const spoken = (json: unknown): ReadonlyArray<unknown> => {
  const all = list(json)
  return all.some(hasWords) ? all.filter(hasWords) : all
}
