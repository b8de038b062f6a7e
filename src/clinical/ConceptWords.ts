import { codeText, codings } from "./Coding.ts"
import { each, list, members, text } from "./Members.ts"
import { codeWords } from "./Words.ts"

/** Whether a CodeableConcept or a Coding was sent with words. */
const hasWords = (json: unknown) =>
  text(members<{ readonly text: string }>(json).text) !== null ||
  codings(json).some(({ display }) => text(display) !== null)

/** A concept with FHIR's own codes, such as a status, in words: the words that were sent, else those of the code. */
export const conceptWords = (json: unknown): string | null =>
  codeWords(json) ?? (hasWords(json) ? codeText(json) : each(codings(json).map(({ code }) => code), codeWords))

/** The words that were sent, else those that `known` has for the code, else the code itself. */
export const wordsOf = (json: unknown, known: ReadonlyMap<string, string>): string | null =>
  hasWords(json)
    ? codeText(json)
    : codings(json).map(({ code }) => known.get(text(code) ?? "")).find((words) => words !== undefined) ??
      codeText(json)

/** The concepts that were sent with words, or all concepts if none has words. */
export const conceptsWithWords = (json: unknown): ReadonlyArray<unknown> => {
  const all = list(json)
  return all.some(hasWords) ? all.filter(hasWords) : all
}
