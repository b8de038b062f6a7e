import { codeText, codings } from "./Coding.ts"
import { text } from "./Members.ts"

/** Concepts of SNOMED CT: no known allergy and its kinds, medication, or problem (International Patient Summary). */
const snomedCodes = new Set([
  "716186003",
  "160244002",
  "409137002",
  "428197003",
  "428607008",
  "429625007",
  "716184000",
  "716220001",
  "1003774007",
  "787481004",
  "160245001"
])

/** Codes of `absent-unknown-uv-ips`, such as `no-known-allergies` and `no-problem-info`. */
const summaryCode = /^no-(?:known-[a-z-]+|[a-z]+-info)$/

const saysNone =
  /^(?:nkd?a|no known (?:[a-z/]+ ){0,4}(?:allerg(?:y|ies)|intolerances?|problems?|conditions?|diagnos[ei]s|medications?|medicines?|drugs?)|no (?:current|active) (?:problems?|medications?)|no current problems or disability)(?: \(situation\))?\.?$/i

/** “No known drug allergies except penicillin” names an allergy, even beside a code that says none. */
const namesException = /\b(?:except\w*|but|besides|apart|aside|other than)\b/i

const startsAsNone = /^(?:nkd?a\b|no\b|none\b|nil\b|not\b|negative\b)/i

/**
 * True if a concept states that the patient has no known allergy, problem or medication. Words that name something win
 * over such a code, because a wrong code must not hide an allergy.
 */
export const isAbsence = (concept: unknown): boolean => {
  const words = codeText(concept) ?? ""
  if (namesException.test(words)) return false
  if (saysNone.test(words)) return true
  return isAbsenceCode(concept) && (startsAsNone.test(words) || words.endsWith("(code without words)"))
}

const isAbsenceCode = (concept: unknown) =>
  codings(concept).some(({ code, system }) => {
    const [value, name] = [text(code) ?? "", text(system) ?? ""]
    return (name === "http://snomed.info/sct" && snomedCodes.has(value)) ||
      (name.endsWith("absent-unknown-uv-ips") && summaryCode.test(value))
  })

/** An abbreviation such as `NKDA` is followed by the words of its code. */
export const absenceText = (concept: unknown): string | null => {
  const words = codeText(concept)
  if (words === null || !/^nkd?a$/i.test(words)) return words
  const spelled = codings(concept).map(({ display }) => text(display)).find((display) => display !== null)
  return spelled == null || spelled === words ? words : `${spelled} (${words})`
}
