import type { CodeableConcept, Coding } from "fhir/r4.js"
import { isHl7, systemName } from "./CodeSystem.ts"
import { joined, list, type Members, members, text } from "./Members.ts"
import { words } from "./Words.ts"

/**
 * A CodeableConcept or a Coding in words: its text, else the first display, else its codes with a remark that no words
 * were sent. HL7's own codes count as words. Returns null if there is neither text, display nor code.
 */
export const codeText = (json: unknown): string | null => {
  const concept = members<CodeableConcept>(json)
  return text(json) ?? text(concept.text) ??
    codings(json).map(({ display }) => text(display)).find((display) => display !== null) ??
    wordsOf(json)
}

/** `codeText` of each concept in a list, without repetitions. */
export const codeTexts = (json: unknown): string | null => joined(new Set(list(json).map(codeText)))

/** The codes of a concept: `LOINC 2339-0, SNOMED CT 33747003`. */
export const codeOf = (json: unknown): string | null =>
  joined(
    new Set(
      codings(json).map(({ code, system }) => {
        const name = text(system)
        return text(code) && joined([name && systemName(name), text(code)], " ")
      })
    )
  )

/** Whether a concept or one of its codings has this code, in any system: `hasCode(category, "laboratory")`. */
export const hasCode = (json: unknown, code: string): boolean =>
  text(json) === code || codings(json).some((coding) => text(coding.code) === code)

/** Whether a concept has this code, or the same words instead: `Vital Signs` for `vital-signs`. */
export const means = (json: unknown, code: string): boolean =>
  hasCode(json, code) || codeText(json)?.toLowerCase().replaceAll(" ", "-") === code

/** The codings of a CodeableConcept. If `json` is itself a Coding, it is one of them. */
export const codings = (json: unknown): ReadonlyArray<Members<Coding>> => {
  const concept = members<CodeableConcept & Coding>(json)
  const all = list(concept.coding).map((coding) => members<Coding>(coding))
  return "code" in concept || "display" in concept ? [...all, concept] : all
}

/** Prefers a code of HL7's own systems, because it is a plain word such as `active`. */
const wordsOf = (json: unknown) => {
  for (const { code, system } of codings(json)) {
    const [value, name] = [text(code), text(system)]
    if (value !== null && name !== null && isHl7(name) && /^(?=.{3})[a-z]+(?:-[a-z]+)*$/.test(value)) {
      return words(value)
    }
  }
  const code = codeOf(json)
  return code && `${code} (code without words)`
}
