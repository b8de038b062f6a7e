import type { HumanName, Patient } from "fhir/r4.js"
import { parsedOrNothing } from "./ExactJson.ts"
import { list, members, text } from "./Members.ts"
import { plainLetters } from "./PlainLetters.ts"

/** The person of an authorization. */
export interface SignedPerson {
  readonly fullName: string
  /** `YYYY-MM-DD`. */
  readonly dateOfBirth: string
}

/** What a reader must know before anything else if a record is of another person. */
export const ofAnotherWords =
  "This record holds another name or birth date than the authorization. Make sure whose record it is."

/**
 * Whether a Patient has another name or birth date than the authorization (contract, part 6). A name may differ in
 * case, spaces, accents, punctuation, titles and the order of its parts. A birth date may be less precise.
 */
export const isAnother = ({ dateOfBirth, fullName }: SignedPerson, patient: string): boolean => {
  const { birthDate, name } = members<Patient>(parsedOrNothing(patient))
  const born = /^\d{4}(-\d\d){0,2}$/.exec(text(birthDate) ?? "")?.[0]
  if (born !== undefined && !dateOfBirth.startsWith(born)) return true
  const forms = list(name).flatMap(formsOf).map(partsOf).filter((parts) => parts.length > 0)
  const signed = partsOf(fullName)
  return forms.length > 0 && !forms.some((parts) => isSame(parts, signed))
}

/** The ways in which a name may be written: as its text, and as its parts with and without titles. */
const formsOf = (json: unknown): ReadonlyArray<string> => {
  const { family, given, prefix, suffix, text: written } = members<HumanName>(json)
  const [first, last, before, after] = [given, family, prefix, suffix].map((part) => list(part).map(text).join(" "))
  return [text(json) ?? "", text(written) ?? "", `${first} ${last}`, `${before} ${first} ${last} ${after}`,
    `${before} ${first} ${last}`, `${first} ${last} ${after}`]
}

const partsOf = (name: string): ReadonlyArray<string> =>
  plainLetters(name)
    .replaceAll(/['’ʼ`´.-]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")

/** `Mary Ann de la Cruz` is `DELACRUZ, MARY ANN`: the same parts in any order, or the same letters from any part on. */
const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  const [letters, others] = [one.join(""), other.join("")]
  // Trying each part as the first takes quadratic time, so that only names of one length are compared.
  if (letters.length !== others.length) return false
  if (one.toSorted().join(" ") === other.toSorted().join(" ")) return true
  let start = 0
  return one.some((part) => {
    const isAlike = letters.slice(start) + letters.slice(0, start) === others
    start += part.length
    return isAlike
  })
}
