import { codeText, codings } from "./Coding.ts"
import { each, list, members, text } from "./Members.ts"
import { codeWords } from "./Words.ts"

/** Whether a CodeableConcept, or a Coding, was sent with words. */
const hasWords = (json: unknown) =>
  (text(json) ?? text(members<{ readonly text: string }>(json).text)) !== null ||
  codings(json).some(({ display }) => text(display) !== null)

/**
 * What a CodeableConcept of FHIR's own codes says: its words, else its code in plain words. A status is mostly sent as its code
 * alone.
 */
export const conceptWords = (json: unknown): string | null =>
  hasWords(json) ? codeText(json) : each(codings(json), (coding) => codeWords(members<{ code: string }>(coding).code))

/** The words of those that were sent with words; where none was, the codes of all. */
export const spokenWords = (json: unknown): string | null => {
  const spoken = list(json).filter(hasWords)
  return each(spoken.length === 0 ? json : spoken, codeText)
}
